import type { UserDetailDto } from '@selvage/core/contracts/users';
import { makeStyles } from '@fluentui/react-components';
import { CompanyName } from '../../components/CompanyName.tsx';
import { Facts } from '../../components/page/Facts.tsx';
import { Section } from '../../components/page/Section.tsx';
import { LimitUse } from '../../components/LimitUse.tsx';
import { fileSize, fullDay } from '../../lib/format.ts';
import { useWords } from '../../lib/i18n.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { backupWords } from '../../words/backups.ts';
import { limitWords } from '../../words/limits.ts';
import { userWords } from '../../words/users.ts';

const useStyles = makeStyles({
  bio: { whiteSpace: 'pre-line' },
  stack: { display: 'flex', flexDirection: 'column', overflowWrap: 'anywhere' },
});

/** What is known of a user. */
export function BasicInfo({ user }: { user: UserDetailDto }) {
  const styles = useStyles();
  const t = useWords(userWords);
  const l = useWords(limitWords);
  const b = useWords(backupWords);
  const company = <CompanyName key="company" company={user.company_id} />;
  const bio = <span className={styles.bio}>{user.bio}</span>;
  return (
    <Section title={t.basicInfo}>
      <Facts
        rows={[
          [t.firstName, user.fname],
          [t.lastName, user.lname],
          [t.email, shownAddress(user.email)],
          [t.phone, user.phone_number || t.notProvided],
          [t.country, user.country || t.notProvided],
          [t.designation, user.designation || t.noDesignation],
          [t.companyName, company],
          [t.role, user.role_id.role_name],
          [t.joined, fullDay(user.createdAt)],
          [b.ofUser, <Backups key="backups" rows={user.backup_emails} />],
          ...(user.backup_readers.length > 0
            ? [[b.readersOfUser, <Backups key="readers" rows={user.backup_readers} />] as const]
            : []),
          [l.storage, <LimitUse key="storage" use={user.storage} show={fileSize} />],
          ...(user.bio ? [[t.bio, bio] as const] : []),
        ]}
      />
    </Section>
  );
}

/** The other people of backups, each with the day on which it was given. */
function Backups({ rows }: { rows: UserDetailDto['backup_emails'] }) {
  const styles = useStyles();
  const t = useWords(backupWords);
  if (rows.length === 0) return t.noneOfUser;
  return (
    <span className={styles.stack}>
      {rows.map(({ _id, backup_email: email, backup_createdAt: at }) => (
        <span key={_id}>{t.since({ email: shownAddress(email), day: fullDay(at) })}</span>
      ))}
    </span>
  );
}
