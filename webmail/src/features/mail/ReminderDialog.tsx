import type { EmailDto } from '@selvage/core/contracts/email';
import { useWords } from '../../lib/i18n.ts';
import { snoozeWords } from '../../words/snooze.ts';
import ChooseTimeDialog from './ChooseTimeDialog.tsx';
import { setReminder } from './reminders.ts';

const DAYS_TO_WAIT = 3;

/** As long as most people wait before they ask again, at the same time of day. */
function firstTime(): Date {
  const at = new Date();
  at.setDate(at.getDate() + DAYS_TO_WAIT);
  at.setSeconds(0, 0);
  return at;
}

/** Asks by when somebody should have answered a sent message. */
export default function ReminderDialog({ email, onClose }: { email: EmailDto; onClose: () => void }) {
  const t = useWords(snoozeWords);
  return (
    <ChooseTimeDialog
      title={t.remindTitle}
      confirm={{ idle: t.remindConfirm, busy: t.remindBusy }}
      initial={email.remind_at === null ? firstTime() : new Date(email.remind_at)}
      onChosen={(at) => setReminder(email._id, at)}
      onClose={onClose}
    />
  );
}
