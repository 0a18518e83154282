import type { EmailDto } from '@selvage/core/contracts/mail';
import { makeStyles, Text, tokens } from '@fluentui/react-components';
import { Initials } from '../../components/Initials.tsx';
import { fullDate } from '../../lib/format.ts';
import { AuthenticityLine } from './AuthenticityLine.tsx';

const useStyles = makeStyles({
  root: { display: 'flex', gap: tokens.spacingHorizontalM, minWidth: 0 },
  words: { display: 'flex', flexDirection: 'column', gap: '2px', minWidth: 0, flexGrow: 1 },
  first: { display: 'flex', flexWrap: 'wrap', columnGap: tokens.spacingHorizontalS, alignItems: 'baseline' },
  sender: { overflowWrap: 'anywhere' },
  quiet: { color: tokens.colorNeutralForeground3, overflowWrap: 'anywhere' },
  date: { marginLeft: 'auto', color: tokens.colorNeutralForeground3, whiteSpace: 'nowrap' },
  recipients: { maxHeight: '60px', overflowY: 'auto' },
});

export function MessageHeader({ email }: { email: EmailDto }) {
  const styles = useStyles();
  const name = email.sender_name || email.sender_email;
  return (
    <div className={styles.root}>
      <Initials name={name} size="large" />
      <div className={styles.words}>
        <span className={styles.first}>
          <Text weight="semibold" className={styles.sender}>
            {name}
          </Text>
          {email.sender_name && (
            <Text size={200} className={styles.quiet}>
              {email.sender_email}
            </Text>
          )}
          <Text size={200} className={styles.date}>
            <time dateTime={email.createdAt}>{fullDate(email.createdAt)}</time>
          </Text>
        </span>
        <div className={styles.recipients}>
          <Recipients label="To" addresses={email.recipient_emails_to} />
          <Recipients label="Cc" addresses={email.recipient_emails_cc} />
          <Recipients label="Bcc" addresses={email.recipient_emails_bcc} />
        </div>
        {email.authenticity && <AuthenticityLine authenticity={email.authenticity} />}
      </div>
    </div>
  );
}

function Recipients({ label, addresses }: { label: string; addresses: string[] }) {
  const styles = useStyles();
  if (addresses.length === 0) return null;
  return (
    <Text size={200} block className={styles.quiet}>
      {label}: {addresses.join(', ')}
    </Text>
  );
}
