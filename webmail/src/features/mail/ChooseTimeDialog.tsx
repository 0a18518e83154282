import { Button } from '@fluentui/react-components';
import { useState } from 'react';
import { DialogFrame } from '../../components/dialog/DialogFrame.tsx';
import { Ring } from '../../components/feedback/Ring.tsx';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { messageOf } from '../../lib/api-error.ts';
import { useWords } from '../../lib/i18n.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { sendTimeWords } from '../../words/scheduled.ts';
import { fieldText, offeredTimes, timeProblem } from './send-times.ts';
import { TimeField } from './TimeField.tsx';

interface Props {
  /** The time that the dialog begins with; tomorrow morning if null. */
  initial: Date | null;
  /** While a promise is open the dialog stays, and a failure is shown inside. */
  onChosen: (at: Date) => void | Promise<unknown>;
  onClose: () => void;
  title?: string;
  /** What the button says, at rest and while a promise is open. */
  confirm?: { idle: string; busy: string };
}

/**
 * Asks for a date and a time. Without `title` and `confirm`, it asks when a message is to be sent.
 */
export default function ChooseTimeDialog({ initial, onChosen, onClose, title, confirm }: Props) {
  const t = useWords(sendTimeWords);
  const says = confirm ?? { idle: t.confirm, busy: t.busy };
  const { cancel } = useWords(dialogWords);
  const [text, setText] = useState(() => fieldText(initial ?? firstOffer()));
  const [problem, setProblem] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);

  const handleConfirm = async (): Promise<void> => {
    const at = new Date(text);
    const found = timeProblem(at);
    setProblem(found);
    setFailure(null);
    if (isBusy || found !== null) return;
    setBusy(true);
    try {
      await onChosen(at);
      onClose();
    } catch (error) {
      setFailure(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <DialogFrame
      title={title ?? t.chooseTitle}
      size="small"
      isBusy={isBusy}
      onClose={onClose}
      actions={
        <>
          <Button disabledFocusable={isBusy} onClick={onClose}>
            {cancel}
          </Button>
          <Button
            appearance="primary"
            disabledFocusable={isBusy}
            icon={isBusy ? <Ring /> : undefined}
            onClick={() => void handleConfirm()}
          >
            {isBusy ? says.busy : says.idle}
          </Button>
        </>
      }
    >
      <FormMessage text={failure} />
      <TimeField
        value={text}
        problem={problem}
        onChange={(value) => {
          setText(value);
          setProblem(null);
        }}
        onEnter={() => void handleConfirm()}
      />
    </DialogFrame>
  );
}

function firstOffer(): Date {
  const offers = offeredTimes();
  return offers.find(({ name }) => name === 'tomorrow')?.at ?? new Date();
}
