import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { makeStyles, tokens } from '@fluentui/react-components';
import { Section } from '../../components/page/Section.tsx';
import { fullNameOf } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import { profileWords } from '../../words/profile.ts';

const useStyles = makeStyles({
  bio: { margin: 0, maxWidth: '80ch', whiteSpace: 'pre-line', overflowWrap: 'anywhere' },
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
  const t = useWords(profileWords);
  const rows = [
    [t.name, fullNameOf(user)],
    [t.phone, user.phone_number],
    [t.email, user.email],
    [t.country, user.country],
    [t.designation, user.designation],
  ] as const;
  return (
    <Section title={t.information}>
      <p className={styles.bio}>{user.bio || t.noBio}</p>
      <dl className={styles.list}>
        {rows.map(([term, value]) => (
          <Row key={term} term={term} value={value || t.nothing} />
        ))}
      </dl>
    </Section>
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
