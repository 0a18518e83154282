import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import {
  Avatar,
  Button,
  makeStyles,
  Menu,
  MenuDivider,
  MenuItem,
  MenuItemRadio,
  MenuList,
  MenuPopover,
  MenuTrigger,
  Text,
  tokens,
} from '@fluentui/react-components';
import { DarkThemeRegular } from '@fluentui/react-icons/svg/dark-theme';
import { NavigationRegular } from '@fluentui/react-icons/svg/navigation';
import { SignOutRegular } from '@fluentui/react-icons/svg/sign-out';
import { IconButton } from '../components/IconButton.tsx';
import { Logo } from '../components/Logo.tsx';
import { NARROW, useMedia } from '../components/use-media.ts';
import { fullNameOf } from '../lib/current-user.ts';
import { chooseTheme, type ThemeChoice, themeChoices, useThemeChoice } from '../lib/theme-choice.ts';
import { Breadcrumbs } from './Breadcrumbs.tsx';
import { useLogout } from './use-logout.ts';

const useStyles = makeStyles({
  bar: {
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalS,
    height: '48px',
    flexShrink: 0,
    padding: `0 ${tokens.spacingHorizontalM}`,
  },
  logo: { width: '196px', flexShrink: 0, paddingLeft: tokens.spacingHorizontalXS },
  crumbs: { flexGrow: 1, minWidth: 0 },
  person: { display: 'flex', flexDirection: 'column', padding: tokens.spacingHorizontalM, maxWidth: '280px' },
  address: { color: tokens.colorNeutralForeground2, overflowWrap: 'anywhere' },
  avatar: { minWidth: 'auto', padding: '2px' },
});

interface Props {
  user: CurrentUserDto;
  /** Opens the navigation where it is folded. */
  onMenu: (() => void) | undefined;
}

export function TopBar({ user, onMenu }: Props) {
  const styles = useStyles();
  const isNarrow = useMedia(NARROW);
  return (
    <header className={styles.bar}>
      {onMenu && <IconButton label="Open menu" icon={<NavigationRegular />} onClick={onMenu} />}
      {!isNarrow && (
        <div className={onMenu ? undefined : styles.logo}>
          <Logo />
        </div>
      )}
      <div className={styles.crumbs}>
        <Breadcrumbs />
      </div>
      <ThemeMenu />
      <PersonMenu user={user} />
    </header>
  );
}

const themeWords: Record<ThemeChoice, string> = { system: 'Like the system', light: 'Light', dark: 'Dark' };

function ThemeMenu() {
  const { choice } = useThemeChoice();
  return (
    <Menu
      checkedValues={{ theme: [choice] }}
      onCheckedValueChange={(_event, { checkedItems }) => {
        const picked = themeChoices.find((item) => item === checkedItems[0]);
        if (picked) chooseTheme(picked);
      }}
    >
      <MenuTrigger disableButtonEnhancement>
        <Button appearance="subtle" aria-label="Theme" title="Theme" icon={<DarkThemeRegular />} />
      </MenuTrigger>
      <MenuPopover>
        <MenuList>
          {themeChoices.map((item) => (
            <MenuItemRadio key={item} name="theme" value={item}>
              {themeWords[item]}
            </MenuItemRadio>
          ))}
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}

function PersonMenu({ user }: { user: CurrentUserDto }) {
  const styles = useStyles();
  const logOut = useLogout();
  const name = fullNameOf(user);
  return (
    <Menu positioning="below-end">
      <MenuTrigger disableButtonEnhancement>
        <Button
          appearance="subtle"
          shape="circular"
          className={styles.avatar}
          aria-label={`Account of ${name}`}
          icon={
            <Avatar
              name={name}
              size={32}
              color="brand"
              {...(user.avatar ? { image: { src: user.avatar } } : {})}
              aria-hidden
            />
          }
        />
      </MenuTrigger>
      <MenuPopover>
        <div className={styles.person}>
          <Text weight="semibold">{name}</Text>
          <Text size={200} className={styles.address}>
            {user.email}
          </Text>
        </div>
        <MenuList>
          <MenuDivider />
          <MenuItem icon={<SignOutRegular />} onClick={() => void logOut()}>
            Logout
          </MenuItem>
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}
