import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { makeStyles, tokens } from '@fluentui/react-components';
import { DarkThemeRegular } from '@fluentui/react-icons/svg/dark-theme';
import { NavigationRegular } from '@fluentui/react-icons/svg/navigation';
import { IconButton } from '../components/IconButton.tsx';
import { Initials } from '../components/Initials.tsx';
import { LazyMenu, lazyMenu } from '../components/LazyMenu.tsx';
import { Logo } from '../components/Logo.tsx';
import { NARROW, useMedia } from '../components/use-media.ts';
import { fullNameOf } from '../lib/current-user.ts';
import { Breadcrumbs } from './Breadcrumbs.tsx';

const themeMenu = lazyMenu(() => import('./ThemeMenu.tsx'));
const personMenu = lazyMenu(() => import('./PersonMenu.tsx'));

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
      <LazyMenu label="Theme" icon={<DarkThemeRegular />} menu={themeMenu} />
      <LazyMenu
        label={`Account of ${fullNameOf(user)}`}
        shape="circular"
        className={styles.avatar}
        icon={<Initials name={fullNameOf(user)} image={user.avatar} isSelf />}
        menu={personMenu}
      />
    </header>
  );
}
