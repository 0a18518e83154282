import { Button, Field, Input } from '@fluentui/react-components';
import { useState } from 'react';
import { DialogFrame } from '../../components/dialog/DialogFrame.tsx';
import { Ring } from '../../components/feedback/Ring.tsx';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { messageOf } from '../../lib/api-error.ts';
import { useWords } from '../../lib/i18n.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { sendTimeWords } from '../../words/scheduled.ts';
import { fieldText, offeredTimes, timeProblem } from './send-times.ts';

interface Props {
  /** The time that it begins with; tomorrow morning unless given. */
  initial: Date | null;
  /** While a promise is open the dialog stays, and a failure is shown inside. */
  onChosen: (at: Date) => void | Promise<unknown>;
  onClose: () => void;
}

/** Asks for a date and a time at which a message leaves. */
export default function ChooseTimeDialog({ initial, onChosen, onClose }: Props) {
  const t = useWords(sendTimeWords);
  const { cancel } = useWords(dialogWords);
  const [text, setText] = useState(() => fieldText(initial ?? firstOffer()));
  const [zone] = useState(() => new Intl.DateTimeFormat().resolvedOptions().timeZone);
  const [soonest] = useState(() => fieldText(new Date()));
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
      title={t.chooseTitle}
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
            {isBusy ? t.busy : t.confirm}
          </Button>
        </>
      }
    >
      <FormMessage text={failure} />
      <Field label={t.field} hint={t.zone({ zone })} {...(problem === null ? {} : { validationMessage: problem })}>
        <Input
          type="datetime-local"
          value={text}
          min={soonest}
          onChange={(_event, data) => {
            setText(data.value);
            setProblem(null);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            event.stopPropagation();
            void handleConfirm();
          }}
        />
      </Field>
    </DialogFrame>
  );
}

function firstOffer(): Date {
  const offers = offeredTimes();
  return offers.find(({ name }) => name === 'tomorrow')?.at ?? new Date();
}
