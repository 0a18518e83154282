import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { makeStyles, tokens } from '@fluentui/react-components';
import { DarkThemeRegular } from '@fluentui/react-icons/svg/dark-theme';
import { NavigationRegular } from '@fluentui/react-icons/svg/navigation';
import { SettingsRegular } from '@fluentui/react-icons/svg/settings';
import { useNavigate } from 'react-router-dom';
import { IconButton } from '../../components/IconButton.tsx';
import { Initials } from '../../components/Initials.tsx';
import { LazyMenu, lazyMenu } from '../../components/LazyMenu.tsx';
import { Logo } from '../../components/Logo.tsx';
import { useMedia } from '../../hooks/use-media.ts';
import { can } from '../../lib/can.ts';
import { fullNameOf } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import { NARROW } from '../../theme/breakpoints.ts';
import { shellWords } from '../../words/shell.ts';
import { Breadcrumbs } from './Breadcrumbs.tsx';

const lookMenu = lazyMenu(() => import('./LookMenu.tsx'));
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
  logo: { width: '172px', flexShrink: 0 },
  crumbs: { flexGrow: 1, minWidth: 0 },
  // Larger than Fluent lets a button with only an icon be
  avatar: { minWidth: '40px', maxWidth: '40px', height: '40px', padding: 0 },
});

interface Props {
  user: CurrentUserDto;
  /** Opens the navigation, or folds it to a rail on wide screens. */
  onMenu: () => void;
  isMenuFolded: boolean;
}

export function TopBar({ user, onMenu, isMenuFolded }: Props) {
  const styles = useStyles();
  const isNarrow = useMedia(NARROW);
  const navigate = useNavigate();
  const t = useWords(shellWords);
  return (
    <header className={styles.bar}>
      {!isNarrow && (
        <IconButton
          label={isMenuFolded ? t.expand : t.collapse}
          icon={<NavigationRegular />}
          aria-expanded={!isMenuFolded}
          onClick={onMenu}
        />
      )}
      {!isNarrow && (
        <div className={styles.logo}>
          <Logo />
        </div>
      )}
      <div className={styles.crumbs}>
        <Breadcrumbs />
      </div>
      <LazyMenu label={t.look} icon={<DarkThemeRegular />} menu={lookMenu} />
      {can(user, { model: 'accountsettings', action: 'view' }) && (
        <IconButton
          label={t.accountSettings}
          icon={<SettingsRegular />}
          onClick={() => void navigate('/dashboard/accountsettings')}
        />
      )}
      <LazyMenu
        label={t.accountOf({ name: fullNameOf(user) })}
        shape="circular"
        className={styles.avatar}
        icon={<Initials name={fullNameOf(user)} image={user.avatar} isSelf />}
        menu={personMenu}
      />
    </header>
  );
}
