import { makeStyles, Text, tokens } from '@fluentui/react-components';
import type { SubmissionServerDto } from '@selvage/core/contracts/account';
import { useCurrentUser } from '../../../lib/current-user.ts';

const useStyles = makeStyles({
  list: {
    display: 'grid',
    gridTemplateColumns: 'max-content minmax(0, 1fr)',
    gap: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalL}`,
    margin: 0,
  },
  pair: { display: 'contents' },
  name: { color: tokens.colorNeutralForeground2 },
  value: { margin: 0, overflowWrap: 'anywhere', userSelect: 'text' },
});

/** What a mail program asks for to send mail. */
export function SmtpSettings({ server }: { server: SubmissionServerDto }) {
  const styles = useStyles();
  const email = useCurrentUser()?.email ?? '';
  const settings: [string, string][] = [
    ['Outgoing server (SMTP)', server.host],
    ['Port and encryption', `${server.tls_port} with SSL/TLS, or ${server.starttls_port} with STARTTLS`],
    ['User name', email],
    ['Password', 'the one above'],
  ];
  return (
    <>
      <Text weight="semibold">Settings for your mail program</Text>
      <dl className={styles.list}>
        {settings.map(([name, value]) => (
          <div key={name} className={styles.pair}>
            <dt className={styles.name}>{name}</dt>
            <dd className={styles.value}>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
