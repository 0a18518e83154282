import { Button, Field, Input, makeStyles, tokens } from '@fluentui/react-components';
import { type ReactNode, useState } from 'react';
import { messageOf } from '../../lib/api-error.ts';
import { useWords } from '../../lib/i18n.ts';
import { own } from '../../theme/own-tokens.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { FormMessage } from '../form/FormMessage.tsx';
import { Ring } from '../feedback/Ring.tsx';
import { DialogFrame } from './DialogFrame.tsx';

const useStyles = makeStyles({
  danger: {
    backgroundColor: own.stateBad,
    color: tokens.colorNeutralBackground1,
    ':hover': { backgroundColor: own.stateBad, color: tokens.colorNeutralBackground1, filter: 'brightness(0.92)' },
    ':hover:active': { backgroundColor: own.stateBad, color: tokens.colorNeutralBackground1 },
  },
});

interface Props {
  title: string;
  text: ReactNode;
  confirmLabel: string;
  /** What the button says while the work is under way. */
  busyLabel?: string;
  /** Left out for a dialog that only tells something. */
  cancelLabel?: string | undefined;
  /** What it does cannot be taken back. */
  isDangerous?: boolean;
  /** The word that has to be typed first, in capitals; what is typed becomes capitals. */
  word?: string;
  /**
   * Does it. While a promise is open the dialog stays, and a failure is shown inside, with another
   * try.
   */
  onConfirm: () => void | Promise<unknown>;
  /** Cancelled, or done. */
  onClose: () => void;
}

/** One question, two buttons. Rendered only while it is asked. */
export function ConfirmDialog(props: Props) {
  const { title, text, confirmLabel, busyLabel, cancelLabel, isDangerous = false, word, onConfirm, onClose } = props;
  const styles = useStyles();
  const t = useWords(dialogWords);
  const [typed, setTyped] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const isReady = word === undefined || typed.trim() === word;

  const handleConfirm = async (): Promise<void> => {
    if (isBusy || !isReady) return;
    setBusy(true);
    setFailure(null);
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      setFailure(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <DialogFrame
      isAlert
      size="small"
      title={title}
      isBusy={isBusy}
      onClose={onClose}
      actions={
        <>
          {cancelLabel && (
            <Button disabledFocusable={isBusy} onClick={onClose}>
              {cancelLabel}
            </Button>
          )}
          <Button
            appearance="primary"
            className={isDangerous && isReady && !isBusy ? styles.danger : undefined}
            disabledFocusable={isBusy || !isReady}
            icon={isBusy ? <Ring /> : undefined}
            onClick={() => void handleConfirm()}
          >
            {isBusy ? (busyLabel ?? t.working) : confirmLabel}
          </Button>
        </>
      }
    >
      <FormMessage text={failure} />
      <div>{text}</div>
      {word !== undefined && (
        <Field label={t.typeWord({ word })}>
          <Input
            value={typed}
            autoComplete="off"
            spellCheck={false}
            onChange={(_event, data) => setTyped(data.value.toUpperCase())}
          />
        </Field>
      )}
    </DialogFrame>
  );
}
