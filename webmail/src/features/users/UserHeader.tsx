import { nameOrAddress } from '@selvage/core/contracts/full-name';
import type { UserDto } from '@selvage/core/contracts/users';
import { Badge, makeStyles, tokens } from '@fluentui/react-components';
import { Initials } from '../../components/Initials.tsx';
import { fullDay } from '../../lib/format.ts';
import { useWords } from '../../lib/i18n.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { onNarrow } from '../../theme/breakpoints.ts';
import { userWords } from '../../words/users.ts';

const useStyles = makeStyles({
  root: {
    display: 'flex',
    alignItems: 'center',
    flexShrink: 0,
    gap: tokens.spacingHorizontalL,
    padding: `0 ${tokens.spacingHorizontalXL} ${tokens.spacingVerticalM}`,
    [onNarrow]: { padding: `0 ${tokens.spacingHorizontalM} ${tokens.spacingVerticalM}` },
  },
  words: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalXXS, minWidth: 0 },
  line: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    columnGap: tokens.spacingHorizontalM,
    overflowWrap: 'anywhere',
    color: tokens.colorNeutralForeground2,
  },
  designation: { color: tokens.colorNeutralForeground1 },
});

/** A user at a glance; name and state stand above it. */
export function UserHeader({ user }: { user: UserDto }) {
  const styles = useStyles();
  const t = useWords(userWords);
  return (
    <div className={styles.root}>
      <Initials name={nameOrAddress(user)} image={user.avatar} size="large" />
      <div className={styles.words}>
        <span className={styles.line}>
          <span className={styles.designation}>{user.designation || t.noDesignation}</span>
          <Badge appearance="tint" color="brand">
            {user.role_id.role_name}
          </Badge>
        </span>
        <span className={styles.line}>
          <span>{shownAddress(user.email)}</span>
          <span>{user.phone_number || t.notProvided}</span>
          <span>{t.updatedAt({ day: fullDay(user.updatedAt) })}</span>
        </span>
      </div>
    </div>
  );
}
