import type { SessionDto } from '@selvage/core/contracts/auth';
import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  makeStyles,
  MessageBar,
  MessageBarBody,
  Text,
  tokens,
} from '@fluentui/react-components';
import { deviceInWords } from '../../lib/device.ts';
import { fullDate } from '../../lib/format.ts';

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
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
  },
  device: { display: 'flex', flexDirection: 'column', minWidth: 0, overflowWrap: 'anywhere' },
  quiet: { color: tokens.colorNeutralForeground3 },
  content: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalM },
  actions: { flexWrap: 'wrap' },
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
  return (
    <Dialog open modalType="alert" onOpenChange={(_event, data) => !data.open && !isBusy && onCancel()}>
      <DialogSurface>
        <DialogBody>
          <DialogTitle>Too many active sessions</DialogTitle>
          <DialogContent className={styles.content}>
            <Text>You are signed in on as many devices as allowed. Log out of one of them to sign in here.</Text>
            {problem && (
              <MessageBar intent="error" layout="multiline" role="alert">
                <MessageBarBody>{problem}</MessageBarBody>
              </MessageBar>
            )}
            <ul className={styles.list}>
              {sessions.map((session) => (
                <SessionRow key={session.session_id} session={session} isBusy={isBusy} onEnd={onEnd} />
              ))}
            </ul>
          </DialogContent>
          <DialogActions className={styles.actions} fluid>
            <Button disabledFocusable={isBusy} onClick={onCancel}>
              Cancel
            </Button>
            <Button disabledFocusable={isBusy} onClick={onRetry}>
              Try Login Again
            </Button>
            <Button
              appearance="primary"
              disabledFocusable={isBusy || sessions.length === 0}
              onClick={() => onEnd(sessions.map((session) => session.session_id))}
            >
              Log out all
            </Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}

interface RowProps {
  session: SessionDto;
  isBusy: boolean;
  onEnd: (sessionIds: string[]) => void;
}

function SessionRow({ session, isBusy, onEnd }: RowProps) {
  const styles = useStyles();
  const shortId = session.session_id.slice(0, 8);
  const device = deviceInWords(session.user_agent);
  return (
    <li className={styles.row}>
      <div className={styles.device}>
        <Text weight="semibold">{device}</Text>
        <Text size={200} className={styles.quiet}>
          {shortId} · {session.device_ip}
        </Text>
        <Text size={200} className={styles.quiet}>
          Signed in {fullDate(session.login_time)}, last active {fullDate(session.last_active)}
        </Text>
      </div>
      <Button
        size="small"
        disabledFocusable={isBusy}
        aria-label={`Log out ${device}, session ${shortId}`}
        onClick={() => onEnd([session.session_id])}
      >
        Log out
      </Button>
    </li>
  );
}
