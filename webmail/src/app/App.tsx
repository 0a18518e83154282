import { makeStyles } from '@fluentui/react-components';
import { QueryClientProvider } from '@tanstack/react-query';
import { createElement, useEffect } from 'react';
import { queryClient } from '../lib/query-client.ts';
import { keepFresh } from '../lib/refresh.ts';
import { warnBeforeUnload } from '../lib/unsaved-work.ts';
import { followLook } from '../theme/look.ts';
import { ConnectionBanner } from './connection/ConnectionBanner.tsx';
import { followConnection } from './connection/follow-connection.ts';
import { AppRoutes } from './router/AppRoutes.tsx';
import { ErrorBoundary } from './router/ErrorBoundary.tsx';
import { fetchNext } from './router/fetch-ahead.ts';
import { GuardedRouter } from './router/GuardedRouter.tsx';
import { useAfterwards } from './use-afterwards.ts';
import { useQuietMoment } from './use-quiet-moment.ts';

const useStyles = makeStyles({
  root: {
    display: 'flex',
    flexDirection: 'column',
    height: '100dvh',
    overflow: 'hidden',
    backgroundColor: 'inherit',
  },
  screen: { flexGrow: 1, minHeight: 0, backgroundColor: 'inherit' },
});

export function App() {
  const styles = useStyles();
  const isQuiet = useQuietMoment();
  const Afterwards = useAfterwards(isQuiet);
  useEffect(keepFresh, []);
  useEffect(followConnection, []);
  useEffect(followLook, []);
  useEffect(warnBeforeUnload, []);
  useEffect(() => {
    if (isQuiet) fetchNext();
  }, [isQuiet]);
  // There is no FluentProvider. The page's style sheet (build/theme-css.ts) and `Afterwards` do its
  // work, outside of the first load
  return (
    <QueryClientProvider client={queryClient}>
      <div className={styles.root}>
        <div className={styles.screen}>
          <ErrorBoundary place="app">
            <GuardedRouter>
              <AppRoutes />
              {Afterwards && (
                <ErrorBoundary place="afterwards" isSilent>
                  {createElement(Afterwards)}
                </ErrorBoundary>
              )}
            </GuardedRouter>
          </ErrorBoundary>
        </div>
        <ConnectionBanner />
      </div>
    </QueryClientProvider>
  );
}
