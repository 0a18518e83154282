import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import { Outlet } from 'react-router-dom';
import { FirstPaint } from '../../components/feedback/FirstPaint.tsx';
import { lazyExtra } from '../../components/lazy-extra.tsx';
import { useMedia } from '../../hooks/use-media.ts';
import { listenForShortcuts } from '../../hooks/use-shortcuts.ts';
import { currentUserQuery } from '../../lib/current-user.ts';
import { followFocusMoves } from '../../lib/focus-moves.ts';
import { useWords } from '../../lib/i18n.ts';
import { takeChoices } from '../../lib/take-choices.ts';
import { COMPACT, NARROW, onCompact } from '../../theme/breakpoints.ts';
import { widths } from '../../theme/own-tokens.ts';
import { selvageLine } from '../../theme/styles.ts';
import { shellWords } from '../../words/shell.ts';
import LoadFailure from '../router/LoadFailure.tsx';
import { BottomBar } from './BottomBar.tsx';
import { navigationOf } from './navigation.ts';
import { SideNavigation } from './SideNavigation.tsx';
import { TopBar } from './TopBar.tsx';
import { useNavigationState } from './use-navigation-state.ts';

// Shortcuts work as soon as this module is loaded, and so does the last key that was pressed
// before. Such keys are meant for the page that is still loading
listenForShortcuts();
followFocusMoves();

const MenuDrawer = lazyExtra(() => import('./MenuDrawer.tsx'));

const TwoFactorNotice = lazyExtra(() => import('./TwoFactorNotice.tsx'));

const useStyles = makeStyles({
  root: { display: 'flex', flexDirection: 'column', height: '100%', overflow: 'hidden' },
  line: selvageLine,
  middle: { display: 'flex', flexGrow: 1, minHeight: 0 },
  side: {
    width: widths.navigation,
    flexShrink: 0,
    overflowY: 'auto',
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalS}`,
    boxSizing: 'border-box',
  },
  rail: { width: widths.rail },
  main: {
    position: 'relative',
    flexGrow: 1,
    minWidth: 0,
    display: 'flex',
    flexDirection: 'column',
    backgroundColor: tokens.colorNeutralBackground1,
    borderTopLeftRadius: tokens.borderRadiusXLarge,
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
    borderLeft: `1px solid ${tokens.colorNeutralStroke2}`,
    overflow: 'hidden',
    outlineStyle: 'none',
    [onCompact]: { borderTopLeftRadius: 0, borderLeftStyle: 'none' },
  },
  skip: {
    position: 'absolute',
    left: tokens.spacingHorizontalS,
    top: '-60px',
    zIndex: 10,
    padding: tokens.spacingHorizontalM,
    border: 'none',
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground1,
    color: tokens.colorBrandForeground1,
    font: 'inherit',
    ':focus': { top: tokens.spacingVerticalS },
  },
});

/** The frame around every page of a logged-in person, once the person is loaded. */
export function Shell() {
  const { data: user, error, refetch } = useQuery(currentUserQuery);
  const [isReady, setReady] = useState(false);
  // Choices made on another device apply before anything is shown for the person
  useLayoutEffect(() => {
    if (!user) return;
    takeChoices(user.choices);
    setReady(true);
  }, [user]);
  if (user && isReady) return <Frame user={user} />;
  return error ? <LoadFailure error={error} onRetry={() => void refetch()} /> : <FirstPaint />;
}

function Frame({ user }: { user: CurrentUserDto }) {
  const styles = useStyles();
  const t = useWords(shellWords);
  const isCompact = useMedia(COMPACT);
  const isNarrow = useMedia(NARROW);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const closeMenu = useCallback(() => setMenuOpen(false), []);
  const navigation = useNavigationState();
  const sections = navigationOf(user);
  const mainRef = useRef<HTMLElement>(null);
  return (
    <div className={styles.root}>
      <div className={styles.line} />
      {/* a link to #content would replace the route state, and with it the way back to the list */}
      <button type="button" className={styles.skip} onClick={() => mainRef.current?.focus()}>
        {t.skip}
      </button>
      <TopBar
        user={user}
        onMenu={isCompact ? () => setMenuOpen(true) : navigation.toggleRail}
        isMenuFolded={isCompact || navigation.isRail}
      />
      <div className={styles.middle}>
        {!isCompact && (
          <div className={mergeClasses(styles.side, navigation.isRail && styles.rail)}>
            <SideNavigation sections={sections} state={navigation} isRail={navigation.isRail} />
          </div>
        )}
        <main id="content" ref={mainRef} tabIndex={-1} className={styles.main}>
          {user.two_factor_due && <TwoFactorNotice at={user.two_factor_due.at} />}
          <Outlet />
        </main>
      </div>
      {isNarrow && <BottomBar sections={sections} onMenu={() => setMenuOpen(true)} />}
      {isCompact && isMenuOpen && (
        <MenuDrawer onClose={closeMenu}>
          <SideNavigation sections={sections} state={navigation} onNavigate={closeMenu} />
        </MenuDrawer>
      )}
    </div>
  );
}
