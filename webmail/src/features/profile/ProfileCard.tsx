import { nameOrAddress } from '@selvage/core/contracts/full-name';
import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { makeStyles } from '@fluentui/react-components';
import { Facts } from '../../components/page/Facts.tsx';
import { Section } from '../../components/page/Section.tsx';
import { useWords } from '../../lib/i18n.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { profileWords } from '../../words/profile.ts';

const useStyles = makeStyles({
  bio: { margin: 0, maxWidth: '80ch', whiteSpace: 'pre-line', overflowWrap: 'anywhere' },
});

/** The person's own profile as others would read it. */
export function ProfileCard({ user }: { user: CurrentUserDto }) {
  const styles = useStyles();
  const t = useWords(profileWords);
  const rows = [
    [t.name, nameOrAddress(user)],
    [t.phone, user.phone_number],
    [t.email, shownAddress(user.email)],
    [t.country, user.country],
    [t.designation, user.designation],
  ] as const;
  return (
    <Section title={t.information}>
      <p className={styles.bio}>{user.bio || t.noBio}</p>
      <Facts rows={rows} />
    </Section>
  );
}
