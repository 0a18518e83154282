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
import { useWords } from '../../lib/i18n.ts';
import { dialogWords } from '../../words/dialogs.ts';

const useStyles = makeStyles({ surface: { maxWidth: '440px' } });

interface Props {
  onDiscard: () => void;
  onClose: () => void;
}

/** Asks, over a dialog with something typed in it, whether that may go. */
export function DiscardQuestion({ onDiscard, onClose }: Props) {
  const styles = useStyles();
  const t = useWords(dialogWords);
  return (
    <Dialog open modalType="alert" onOpenChange={(_event, data) => !data.open && onClose()}>
      <DialogSurface className={styles.surface}>
        <DialogBody>
          <DialogTitle action={null}>{t.discardTitle}</DialogTitle>
          <DialogContent>{t.discardText}</DialogContent>
          <DialogActions fluid>
            <Button appearance="primary" onClick={onClose}>
              {t.keepEditing}
            </Button>
            <Button onClick={onDiscard}>{t.discard}</Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
