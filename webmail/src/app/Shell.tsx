import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { PlugDisconnectedRegular } from '@fluentui/react-icons/svg/plug-disconnected';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Outlet } from 'react-router-dom';
import { PageSpinner } from '../components/PageSpinner.tsx';
import { StatusPage } from '../components/StatusPage.tsx';
import { COMPACT, useMedia } from '../components/use-media.ts';
import { ComposeProvider } from '../features/mail/compose/ComposeProvider.tsx';
import { messageOf } from '../lib/api-error.ts';
import { currentUserQuery } from '../lib/current-user.ts';
import { SideNav } from './SideNav.tsx';
import { TopBar } from './TopBar.tsx';
import { useLogout } from './use-logout.ts';
import { useRealtime } from './use-realtime.ts';

const MenuDrawer = lazy(() => import('./MenuDrawer.tsx').then((m) => ({ default: m.MenuDrawer })));

const useStyles = makeStyles({
  root: { display: 'flex', flexDirection: 'column', height: '100dvh', overflow: 'hidden' },
  middle: { display: 'flex', flexGrow: 1, minHeight: 0 },
  side: {
    width: '216px',
    flexShrink: 0,
    overflowY: 'auto',
    padding: tokens.spacingHorizontalS,
    boxSizing: 'border-box',
  },
  main: {
    flexGrow: 1,
    minWidth: 0,
    display: 'flex',
    flexDirection: 'column',
    backgroundColor: tokens.colorNeutralBackground1,
    borderTopLeftRadius: tokens.borderRadiusXLarge,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRightStyle: 'none',
    borderBottomStyle: 'none',
    overflow: 'hidden',
    '@media (max-width: 959px)': { borderTopLeftRadius: 0, borderLeftStyle: 'none' },
  },
  skip: {
    position: 'absolute',
    left: tokens.spacingHorizontalS,
    top: '-60px',
    zIndex: 10,
    padding: tokens.spacingHorizontalM,
    backgroundColor: tokens.colorNeutralBackground1,
    color: tokens.colorBrandForeground1,
    borderRadius: tokens.borderRadiusMedium,
    ':focus': { top: tokens.spacingVerticalS },
  },
});

export function Shell() {
  const styles = useStyles();
  const { data: user, error, refetch } = useQuery(currentUserQuery);
  const isCompact = useMedia(COMPACT);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const logOut = useLogout();
  useRealtime(user?.email);

  if (!user) {
    if (!error) return <PageSpinner />;
    return (
      <StatusPage
        isAlert
        icon={<PlugDisconnectedRegular />}
        title={`Error: ${messageOf(error)}`}
        action={
          <span>
            <Button appearance="primary" onClick={() => void refetch()}>
              Retry
            </Button>{' '}
            <Button onClick={() => void logOut()}>Logout</Button>
          </span>
        }
      />
    );
  }
  return (
    <ComposeProvider>
      <div className={styles.root}>
        <a className={styles.skip} href="#content">
          Skip to content
        </a>
        <TopBar user={user} onMenu={isCompact ? () => setMenuOpen(true) : undefined} />
        <div className={styles.middle}>
          {!isCompact && (
            <div className={styles.side}>
              <SideNav user={user} />
            </div>
          )}
          <main id="content" tabIndex={-1} className={styles.main}>
            <Outlet />
          </main>
        </div>
        {isCompact && (
          <Suspense fallback={null}>
            <MenuDrawer isOpen={isMenuOpen} onClose={() => setMenuOpen(false)}>
              <SideNav user={user} onNavigate={() => setMenuOpen(false)} />
            </MenuDrawer>
          </Suspense>
        )}
      </div>
    </ComposeProvider>
  );
}
