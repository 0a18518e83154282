import { makeStyles, Text, tokens } from '@fluentui/react-components';
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
export function SmtpSettings() {
  const styles = useStyles();
  const email = useCurrentUser()?.email ?? '';
  const settings: [string, string][] = [
    ['Outgoing server (SMTP)', window.location.hostname],
    ['Port and encryption', '465 with SSL/TLS, or 587 with STARTTLS'],
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
