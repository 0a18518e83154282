import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  makeStyles,
} from '@fluentui/react-components';
import { useRef } from 'react';
import { useFirstField } from '../../hooks/use-first-field.ts';
import { useFocusReturn } from '../../hooks/use-focus-return.ts';
import { useWords } from '../../lib/i18n.ts';
import { dialogSize } from '../../theme/styles.ts';
import { asksToClose } from './asks-to-close.ts';
import { dialogWords } from '../../words/dialogs.ts';

const useStyles = makeStyles({ surface: dialogSize('440px') });

interface Props {
  onDiscard: () => void;
  onClose: () => void;
}

/** Asks, over a dialog with something typed in it, whether that may go. */
export function DiscardQuestion({ onDiscard, onClose }: Props) {
  useFocusReturn();
  const surfaceRef = useRef<HTMLDivElement>(null);
  useFirstField(surfaceRef, 'question');
  const styles = useStyles();
  const t = useWords(dialogWords);
  return (
    <Dialog open modalType="alert" onOpenChange={(_event, data) => asksToClose(data) && onClose()}>
      <DialogSurface ref={surfaceRef} className={styles.surface}>
        <DialogBody>
          <DialogTitle action={null}>{t.discardTitle}</DialogTitle>
          <DialogContent>{t.discardText}</DialogContent>
          <DialogActions fluid>
            <Button appearance="primary" data-autofocus onClick={onClose}>
              {t.keepEditing}
            </Button>
            <Button onClick={onDiscard}>{t.discard}</Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
