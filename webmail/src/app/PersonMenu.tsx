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
import { SignOutRegular } from '@fluentui/react-icons/svg/sign-out';
import type { MenuProps } from '../components/LazyMenu.tsx';
import { fullNameOf, useCurrentUser } from '../lib/current-user.ts';
import { useLogout } from './use-logout.ts';

const useStyles = makeStyles({
  person: { display: 'flex', flexDirection: 'column', padding: tokens.spacingHorizontalM, maxWidth: '280px' },
  address: { color: tokens.colorNeutralForeground2, overflowWrap: 'anywhere' },
});

export default function PersonMenu({ target, onClose }: MenuProps) {
  const styles = useStyles();
  const user = useCurrentUser();
  const logOut = useLogout();
  return (
    <Menu
      open
      positioning={{ target, position: 'below', align: 'end' }}
      onOpenChange={(event, data) => !data.open && onClose(event)}
    >
      <MenuPopover>
        {user && (
          <div className={styles.person}>
            <Text weight="semibold">{fullNameOf(user)}</Text>
            <Text size={200} className={styles.address}>
              {user.email}
            </Text>
          </div>
        )}
        <MenuList aria-label="Account">
          <MenuDivider />
          <MenuItem icon={<SignOutRegular />} onClick={() => void logOut()}>
            Logout
          </MenuItem>
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}
