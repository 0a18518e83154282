import { nameOrAddress } from '@selvage/core/contracts/full-name';
import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { DarkThemeRegular } from '@fluentui/react-icons/svg/dark-theme';
import { NavigationRegular } from '@fluentui/react-icons/svg/navigation';
import { SearchRegular } from '@fluentui/react-icons/svg/search';
import { SettingsRegular } from '@fluentui/react-icons/svg/settings';
import { useLocation, useNavigate } from 'react-router-dom';
import { IconButton } from '../../components/IconButton.tsx';
import { Initials } from '../../components/Initials.tsx';
import { LazyMenu, lazyMenu } from '../../components/LazyMenu.tsx';
import { Logo } from '../../components/Logo.tsx';
import { useMedia } from '../../hooks/use-media.ts';
import { can } from '../../lib/can.ts';
import { useWords } from '../../lib/i18n.ts';
import { NARROW } from '../../theme/breakpoints.ts';
import { heights } from '../../theme/own-tokens.ts';
import { shellWords } from '../../words/shell.ts';
import { Breadcrumbs } from './Breadcrumbs.tsx';
import { topSearch } from './top-search.ts';

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
  crumbs: { flex: '1 1 0', minWidth: 0 },
  search: { display: 'flex', flex: '0 1 560px', minWidth: 0, minHeight: heights.control },
  end: { display: 'flex', flex: '1 1 0', justifyContent: 'flex-end', gap: tokens.spacingHorizontalS },
  endNarrow: { flexGrow: 0 },
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
  const { pathname } = useLocation();
  const t = useWords(shellWords);
  const hasSearch = can(user, { model: 'inbox', action: 'view' });
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
      {hasSearch && !isNarrow && (
        <div className={styles.search}>
          <topSearch.Box />
        </div>
      )}
      <div className={mergeClasses(styles.end, isNarrow && styles.endNarrow)}>
        {hasSearch && isNarrow && pathname !== topSearch.path && (
          <IconButton label={t.search} icon={<SearchRegular />} onClick={() => void navigate(topSearch.path)} />
        )}
        <LazyMenu label={t.look} icon={<DarkThemeRegular />} menu={lookMenu} />
        {can(user, { model: 'accountsettings', action: 'view' }) && (
          <IconButton
            label={t.accountSettings}
            icon={<SettingsRegular />}
            onClick={() => void navigate('/dashboard/accountsettings')}
          />
        )}
        <LazyMenu
          label={t.accountOf({ name: nameOrAddress(user) })}
          shape="circular"
          className={styles.avatar}
          icon={<Initials name={nameOrAddress(user)} image={user.avatar} isSelf />}
          menu={personMenu}
        />
      </div>
    </header>
  );
}
