import { builtInRole } from '@selvage/core/contracts/permissions';
import type { RoleDto } from '@selvage/core/contracts/roles';
import { Badge, makeStyles, tokens } from '@fluentui/react-components';
import { useWords } from '../../lib/i18n.ts';
import { oneLine } from '../../theme/styles.ts';
import { roleWords } from '../../words/roles.ts';
import { permittedModels } from './permitted-models.ts';

/** How many modules a row names before it counts the others. */
const NAMED = 4;

const useStyles = makeStyles({
  permissions: { display: 'flex', gap: tokens.spacingHorizontalXS, minWidth: 0 },
  names: oneLine,
  need: {
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    fontWeight: tokens.fontWeightRegular,
  },
  quiet: { flexShrink: 0, color: tokens.colorNeutralForeground3 },
});

/** The name of a role, or the badge of a built-in one. */
export function RoleName({ role }: { role: RoleDto }) {
  const t = useWords(roleWords);
  const badges: Record<number, string> = {
    [builtInRole.superAdmin]: t.superAdmin,
    [builtInRole.admin]: t.admin,
    [builtInRole.user]: t.user,
  };
  const badge = badges[role.role_id];
  if (badge === undefined) return <span dir="auto">{role.role_name}</span>;
  return (
    <Badge appearance="tint" color="brand">
      {badge}
    </Badge>
  );
}

/** Says that the people of a role need a second factor. */
export function TwoFactorNeed({ role }: { role: RoleDto }) {
  const styles = useStyles();
  const t = useWords(roleWords);
  return role.two_factor && <div className={styles.need}>{t.twoFactorNeeded}</div>;
}

/** The modules in which a role may do something: the first four by name, the others counted. */
export function PermissionNames({ permissions }: Pick<RoleDto, 'permissions'>) {
  const styles = useStyles();
  const t = useWords(roleWords);
  const names = permittedModels(permissions);
  if (names.length === 0) return <span className={styles.quiet}>{t.noPermissions}</span>;
  return (
    <span className={styles.permissions}>
      <span className={styles.names}>{names.slice(0, NAMED).join(', ')}</span>
      {names.length > NAMED && <span className={styles.quiet}>{t.more({ count: names.length - NAMED })}</span>}
    </span>
  );
}
