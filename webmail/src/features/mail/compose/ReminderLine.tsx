import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { ClockAlarmRegular } from '@fluentui/react-icons/svg/clock-alarm';
import { useStore } from '@nanostores/react';
import { useHourly } from '../../../hooks/use-hourly.ts';
import { useWords } from '../../../lib/i18n.ts';
import { snoozeWords } from '../../../words/snooze.ts';
import { QuietLine } from '../QuietLine.tsx';
import { isAhead } from '../send-times.ts';
import { timeInWords } from '../time-in-words.ts';
import type { OpenMessage } from './windows.ts';

const useStyles = makeStyles({
  root: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: `0 ${tokens.spacingHorizontalS}`,
    flexShrink: 0,
    paddingTop: tokens.spacingVerticalXS,
  },
});

/** Says when the sender is reminded if no answer comes, while that is chosen. */
export function ReminderLine({ message }: { message: OpenMessage }) {
  const styles = useStyles();
  const t = useWords(snoozeWords);
  const { remindAt } = useStore(message.composition);
  const { phase } = useStore(message.state);
  useHourly();
  if (!isAhead(remindAt)) return null;
  return (
    <div className={styles.root}>
      <QuietLine icon={ClockAlarmRegular}>{t.reminder({ when: timeInWords(new Date(remindAt)) })}</QuietLine>
      <Button
        size="small"
        appearance="transparent"
        disabledFocusable={phase !== 'writing'}
        onClick={({ currentTarget }) => {
          // The button leaves. Keys that are typed outside of the window act on the mail behind it
          currentTarget.closest('[role=dialog]')?.querySelector<HTMLElement>('[data-schedule]')?.focus();
          message.write({ remindAt: null });
        }}
      >
        {t.remindNot}
      </Button>
    </div>
  );
}
