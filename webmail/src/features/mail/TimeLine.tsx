import type { EmailDto } from '@selvage/core/contracts/email';
import { ClockAlarmRegular } from '@fluentui/react-icons/svg/clock-alarm';
import { useWords } from '../../lib/i18n.ts';
import { snoozeWords } from '../../words/snooze.ts';
import { belongsTo } from './folder-rules.ts';
import { QuietLine } from './QuietLine.tsx';
import { timeInWords } from './time-in-words.ts';

/** Says until when the message sleeps, or when its sender is reminded of it. */
export function TimeLine({ email }: { email: EmailDto }) {
  const t = useWords(snoozeWords);
  // A snoozed message that was archived meanwhile does not come back
  const until = belongsTo('snoozed', email) ? email.snoozed_until : null;
  const at = until ?? email.remind_at;
  if (at === null) return null;
  const when = timeInWords(new Date(at));
  return <QuietLine icon={ClockAlarmRegular}>{until ? t.until({ when }) : t.reminder({ when })}</QuietLine>;
}
