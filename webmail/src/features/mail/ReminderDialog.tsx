import type { EmailDto } from '@selvage/core/contracts/email';
import { useWords } from '../../lib/i18n.ts';
import { snoozeWords } from '../../words/snooze.ts';
import ChooseTimeDialog from './ChooseTimeDialog.tsx';
import { setReminder } from './reminders.ts';
import { timeOfReminder } from './send-times.ts';

/** Asks when to remind the sender of a message that has no answer by then. */
export default function ReminderDialog({ email, onClose }: { email: EmailDto; onClose: () => void }) {
  const t = useWords(snoozeWords);
  return (
    <ChooseTimeDialog
      title={t.remindTitle}
      confirm={{ idle: t.remindConfirm, busy: t.remindBusy }}
      initial={email.remind_at === null ? timeOfReminder() : new Date(email.remind_at)}
      onChosen={(at) => setReminder(email._id, at)}
      onClose={onClose}
    />
  );
}
