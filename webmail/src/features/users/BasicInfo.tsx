import { getCompany } from '@selvage/core/contracts/companies';
import type { UserDto } from '@selvage/core/contracts/users';
import { makeStyles } from '@fluentui/react-components';
import { Facts } from '../../components/page/Facts.tsx';
import { Section } from '../../components/page/Section.tsx';
import { TextLink } from '../../components/TextLink.tsx';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { LimitUse } from '../../components/LimitUse.tsx';
import { fileSize, fullDay } from '../../lib/format.ts';
import { useWords } from '../../lib/i18n.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { limitWords } from '../../words/limits.ts';
import { userWords } from '../../words/users.ts';

const useStyles = makeStyles({ bio: { whiteSpace: 'pre-line' } });

/** What is known of a user. */
export function BasicInfo({ user }: { user: UserDto }) {
  const styles = useStyles();
  const t = useWords(userWords);
  const l = useWords(limitWords);
  const hasCompanyPage = can(useCurrentUser(), getCompany);
  const { _id, name } = user.company_id;
  const company = hasCompanyPage ? <TextLink to={`/dashboard/company/${_id}`}>{name}</TextLink> : name;
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
          [l.storage, <LimitUse key="storage" use={user.storage} show={fileSize} />],
          ...(user.bio ? [[t.bio, bio] as const] : []),
        ]}
      />
    </Section>
  );
}
