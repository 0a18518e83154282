import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { Card, makeStyles, tokens } from '@fluentui/react-components';
import { fullNameOf } from '../../lib/current-user.ts';

const useStyles = makeStyles({
  card: { padding: tokens.spacingHorizontalXL, gap: tokens.spacingVerticalL },
  title: { margin: 0, fontSize: tokens.fontSizeBase400, lineHeight: tokens.lineHeightBase400 },
  bio: { margin: 0, whiteSpace: 'pre-line', overflowWrap: 'anywhere' },
  list: {
    display: 'grid',
    gridTemplateColumns: 'minmax(96px, max-content) 1fr',
    gap: `${tokens.spacingVerticalM} ${tokens.spacingHorizontalXXL}`,
    margin: 0,
  },
  term: { color: tokens.colorNeutralForeground2 },
  value: { margin: 0, overflowWrap: 'anywhere' },
});

/** The own profile as others would read it. */
export function ProfileCard({ user }: { user: CurrentUserDto }) {
  const styles = useStyles();
  const rows = [
    ['Name', fullNameOf(user)],
    ['Phone', user.phone_number],
    ['Email', user.email],
    ['Country', user.country],
    ['Designation', user.designation],
  ] as const;
  return (
    <Card className={styles.card}>
      <h2 className={styles.title}>Profile Information</h2>
      <p className={styles.bio}>{user.bio || 'No bio available.'}</p>
      <dl className={styles.list}>
        {rows.map(([term, value]) => (
          <Row key={term} term={term} value={value || '–'} />
        ))}
      </dl>
    </Card>
  );
}

function Row({ term, value }: { term: string; value: string }) {
  const styles = useStyles();
  return (
    <>
      <dt className={styles.term}>{term}</dt>
      <dd className={styles.value}>{value}</dd>
    </>
  );
}
