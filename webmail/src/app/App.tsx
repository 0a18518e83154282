import { makeStyles } from '@fluentui/react-components';
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect } from 'react';
import { lazyExtra } from '../components/lazy-extra.tsx';
import { useIsIdle } from '../hooks/use-is-idle.ts';
import { queryClient } from '../lib/query-client.ts';
import { keepFresh } from '../lib/refresh.ts';
import { warnBeforeUnload } from '../lib/unsaved-work.ts';
import { followLook } from '../theme/look.ts';
import { AppRoutes } from './router/AppRoutes.tsx';
import { ErrorBoundary } from './router/ErrorBoundary.tsx';
import { fetchNext } from './router/fetch-ahead.ts';
import { GuardedRouter } from './router/GuardedRouter.tsx';
import { useForgetOnChange } from './use-session.ts';

/** What every screen has but no first paint needs: toasts, tips, the live connection. */
const Afterwards = lazyExtra(() => import('./Afterwards.tsx'));

const useStyles = makeStyles({ root: { height: '100dvh', overflow: 'hidden', backgroundColor: 'inherit' } });

export function App() {
  const styles = useStyles();
  const isIdle = useIsIdle();
  useForgetOnChange();
  useEffect(keepFresh, []);
  useEffect(followLook, []);
  useEffect(warnBeforeUnload, []);
  useEffect(() => {
    if (isIdle) fetchNext();
  }, [isIdle]);
  // no FluentProvider: what it does is done by the page's style sheet (build/theme-css.ts) and by `Afterwards`, outside of the first load
  return (
    <QueryClientProvider client={queryClient}>
      <div className={styles.root}>
        <ErrorBoundary place="app">
          <GuardedRouter>
            <AppRoutes />
            {isIdle && <Afterwards />}
          </GuardedRouter>
        </ErrorBoundary>
      </div>
    </QueryClientProvider>
  );
}
