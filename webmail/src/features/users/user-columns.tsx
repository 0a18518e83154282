import { nameOrAddress } from '@selvage/core/contracts/full-name';
import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { getCompany } from '@selvage/core/contracts/companies';
import type { UserDto } from '@selvage/core/contracts/users';
import { Badge, makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { Link } from 'react-router-dom';
import { Initials } from '../../components/Initials.tsx';
import type { Column } from '../../components/list/columns.ts';
import { RecordStateWord, stateInWords } from '../../components/list/record-state.tsx';
import { can } from '../../lib/can.ts';
import { fullDay } from '../../lib/format.ts';
import { useWords, wordsOf } from '../../lib/i18n.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { onNarrow } from '../../theme/breakpoints.ts';
import { focusRing, oneLine } from '../../theme/styles.ts';
import { recordWords } from '../../words/records.ts';
import { userWords } from '../../words/users.ts';

const useStyles = makeStyles({
  author: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalM, minWidth: 0 },
  stack: { display: 'flex', flexDirection: 'column', alignItems: 'flex-start', minWidth: 0 },
  // A card has room below: nothing is cut off
  line: { maxWidth: '100%', ...oneLine, [onNarrow]: { whiteSpace: 'normal', overflowWrap: 'anywhere' } },
  quiet: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  // Above the link that covers the row
  link: {
    position: 'relative',
    zIndex: 1,
    textDecorationLine: 'none',
    ':hover': { textDecorationLine: 'underline' },
    ...focusRing,
  },
  badge: { maxWidth: '100%' },
});

const joined = ({ createdAt }: UserDto): string => fullDay(createdAt);

/** What the list shows of a user. A column that the contract sorts by has its name. */
export function userColumns(caller: CurrentUserDto | undefined): Column<UserDto>[] {
  const t = wordsOf(userWords);
  const { status } = wordsOf(recordWords);
  const hasCompanyPage = can(caller, getCompany);
  return [
    {
      id: 'fname',
      title: t.author,
      cell: (user) => <Author user={user} isSelf={user._id === caller?._id} />,
      text: nameOrAddress,
    },
    {
      id: 'email',
      title: t.emailAndCompany,
      cell: (user) => <Address user={user} hasCompanyPage={hasCompanyPage} />,
      text: ({ email, company_id }) => `${email} / ${company_id.name}`,
      width: '28%',
    },
    {
      id: 'role',
      title: t.role,
      cell: ({ role_id }) => <RoleBadge name={role_id.role_name} />,
      text: ({ role_id }) => role_id.role_name,
      width: '130px',
    },
    {
      id: 'status',
      title: status,
      cell: (user) => <RecordStateWord record={user} />,
      text: stateInWords,
      width: '110px',
    },
    { id: 'createdAt', title: t.joined, cell: joined, text: joined, width: '130px' },
  ];
}

/** The columns of the file: the address and the company stand each in one of their own. */
export function exportedUserColumns(all: Column<UserDto>[]): Column<UserDto>[] {
  const t = wordsOf(userWords);
  const email = ({ email: address }: UserDto): string => address;
  const company = ({ company_id }: UserDto): string => company_id.name;
  return all.flatMap((column) => {
    if (column.id === 'createdAt') return [{ ...column, text: ({ createdAt }) => createdAt }];
    if (column.id !== 'email') return [column];
    return [
      { id: 'email', title: t.email, cell: email, text: email },
      { id: 'company', title: t.company, cell: company, text: company },
    ];
  });
}

function Author({ user, isSelf }: { user: UserDto; isSelf: boolean }) {
  const styles = useStyles();
  const t = useWords(userWords);
  const name = nameOrAddress(user);
  return (
    <span className={styles.author}>
      <Initials name={name} image={user.avatar} isSelf={isSelf} />
      <span className={styles.line} dir="auto">
        {name}
      </span>
      {isSelf && <span className={styles.quiet}>{t.you}</span>}
    </span>
  );
}

function Address({ user: { email, company_id }, hasCompanyPage }: { user: UserDto; hasCompanyPage: boolean }) {
  const styles = useStyles();
  return (
    <span className={styles.stack}>
      <span className={styles.line}>{shownAddress(email)}</span>
      {hasCompanyPage ? (
        <Link
          to={`/dashboard/company/${company_id._id}`}
          className={mergeClasses(styles.line, styles.quiet, styles.link)}
        >
          {company_id.name}
        </Link>
      ) : (
        <span className={mergeClasses(styles.line, styles.quiet)}>{company_id.name}</span>
      )}
    </span>
  );
}

function RoleBadge({ name }: { name: string }) {
  const styles = useStyles();
  return (
    <Badge appearance="tint" color="brand" className={styles.badge}>
      <span className={styles.line} dir="auto">
        {name}
      </span>
    </Badge>
  );
}
