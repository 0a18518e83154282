import type { SubmissionServerDto } from '@selvage/core/contracts/account';
import { makeStyles, Text, tokens } from '@fluentui/react-components';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { useWords } from '../../../lib/i18n.ts';
import { appPasswordWords } from '../../../words/app-passwords.ts';

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
  const t = useWords(appPasswordWords);
  const email = useCurrentUser()?.email ?? '';
  const settings: [string, string][] = [
    [t.server, server.host],
    // Ports are names, not amounts: no separators between their digits
    [t.ports, t.portsValue({ tls: String(server.tls_port), starttls: String(server.starttls_port) })],
    [t.userName, email],
    [t.password, t.passwordAbove],
  ];
  return (
    <>
      <Text weight="semibold">{t.settings}</Text>
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
