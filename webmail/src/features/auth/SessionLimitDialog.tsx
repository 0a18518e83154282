import type { SessionDto } from '@selvage/core/contracts/auth';
import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { DialogFrame } from '../../components/dialog/DialogFrame.tsx';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { deviceInWords } from '../../lib/device.ts';
import { fullDate } from '../../lib/format.ts';
import { useWords } from '../../lib/i18n.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { sessionLimitWords } from '../../words/session-limit.ts';

const SHOWN_OF_ID = 8;

const useStyles = makeStyles({
  list: {
    listStyleType: 'none',
    margin: 0,
    padding: 0,
    display: 'flex',
    flexDirection: 'column',
    maxHeight: '40vh',
    overflowY: 'auto',
  },
  row: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: tokens.spacingHorizontalM,
    padding: `${tokens.spacingVerticalS} 0`,
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
    ':first-child': { borderTopStyle: 'none' },
  },
  device: { display: 'flex', flexDirection: 'column', minWidth: 0, overflowWrap: 'anywhere' },
  quiet: { color: tokens.colorNeutralForeground2 },
});

interface Props {
  sessions: SessionDto[];
  isBusy: boolean;
  problem: string | null;
  onEnd: (sessionIds: string[]) => void;
  onCancel: () => void;
  onRetry: () => void;
}

/** Asks which session has to go when a person has reached the limit. */
export default function SessionLimitDialog({ sessions, isBusy, problem, onEnd, onCancel, onRetry }: Props) {
  const styles = useStyles();
  const t = useWords(sessionLimitWords);
  const shared = useWords(dialogWords);
  return (
    <DialogFrame
      isAlert
      title={t.title}
      isBusy={isBusy}
      onClose={onCancel}
      actions={
        <>
          <Button disabledFocusable={isBusy} onClick={onCancel}>
            {shared.cancel}
          </Button>
          <Button disabledFocusable={isBusy} onClick={onRetry}>
            {t.retry}
          </Button>
          <Button
            appearance="primary"
            disabledFocusable={isBusy || sessions.length === 0}
            onClick={() => onEnd(sessions.map((session) => session.session_id))}
          >
            {t.endAll}
          </Button>
        </>
      }
    >
      <span>{t.text}</span>
      <FormMessage text={problem} />
      <ul className={styles.list}>
        {sessions.map((session) => (
          <SessionRow key={session.session_id} session={session} isBusy={isBusy} onEnd={onEnd} />
        ))}
      </ul>
    </DialogFrame>
  );
}

interface RowProps {
  session: SessionDto;
  isBusy: boolean;
  onEnd: (sessionIds: string[]) => void;
}

function SessionRow({ session, isBusy, onEnd }: RowProps) {
  const styles = useStyles();
  const t = useWords(sessionLimitWords);
  const id = session.session_id.slice(0, SHOWN_OF_ID);
  const device = deviceInWords(session.user_agent);
  return (
    <li className={styles.row}>
      <div className={styles.device}>
        <Text weight="semibold">{device}</Text>
        <Text size={200} className={styles.quiet}>
          {t.session({ id, ip: session.device_ip })}
        </Text>
        <Text size={200} className={styles.quiet}>
          {t.times({ start: fullDate(session.login_time), last: fullDate(session.last_active) })}
        </Text>
      </div>
      <Button
        size="small"
        disabledFocusable={isBusy}
        aria-label={t.endNamed({ device, id })}
        onClick={() => onEnd([session.session_id])}
      >
        {t.end}
      </Button>
    </li>
  );
}
