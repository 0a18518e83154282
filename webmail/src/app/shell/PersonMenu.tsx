import { nameOrAddress } from '@selvage/core/contracts/full-name';
import {
  makeStyles,
  Menu,
  MenuDivider,
  MenuItem,
  MenuList,
  MenuPopover,
  Text,
  tokens,
} from '@fluentui/react-components';
import { KeyRegular } from '@fluentui/react-icons/svg/key';
import { PersonRegular } from '@fluentui/react-icons/svg/person';
import { SignOutRegular } from '@fluentui/react-icons/svg/sign-out';
import { useNavigate } from 'react-router-dom';
import type { MenuProps } from '../../components/LazyMenu.tsx';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import { requestLogout } from '../../lib/request-logout.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { shellWords } from '../../words/shell.ts';

const useStyles = makeStyles({
  person: { display: 'flex', flexDirection: 'column', padding: tokens.spacingHorizontalM, maxWidth: '280px' },
  address: { color: tokens.colorNeutralForeground2, overflowWrap: 'anywhere' },
});

export default function PersonMenu({ target, onClose }: MenuProps) {
  const styles = useStyles();
  const t = useWords(shellWords);
  const user = useCurrentUser();
  const navigate = useNavigate();
  return (
    <Menu
      open
      positioning={{ target, position: 'below', align: 'end' }}
      onOpenChange={(event, data) => !data.open && onClose(event)}
    >
      <MenuPopover>
        {user && (
          <div className={styles.person}>
            <Text weight="semibold">{nameOrAddress(user)}</Text>
            <Text size={200} className={styles.address}>
              {shownAddress(user.email)}
            </Text>
          </div>
        )}
        <MenuList aria-label={t.account}>
          <MenuDivider />
          {can(user, { model: 'profile', action: 'view' }) && (
            <MenuItem icon={<PersonRegular />} onClick={() => void navigate('/dashboard/profile')}>
              {t.profile}
            </MenuItem>
          )}
          <MenuItem icon={<KeyRegular />} onClick={() => void navigate('/dashboard/change_password')}>
            {t.changePassword}
          </MenuItem>
          <MenuItem icon={<SignOutRegular />} onClick={() => void requestLogout()}>
            {t.logout}
          </MenuItem>
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}
