import { FluentProvider, makeStyles, tokens } from '@fluentui/react-components';
import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { useIsIdle } from '../components/use-is-idle.ts';
import { queryClient } from '../lib/query-client.ts';
import { keepFresh } from '../lib/refresh.ts';
import { darkTheme, lightTheme } from '../lib/theme.ts';
import { useThemeChoice } from '../lib/theme-choice.ts';
import { AppRoutes } from './AppRoutes.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { fetchNext } from './pages.ts';
import { useForgetOnChange } from './use-session.ts';

const Afterwards = lazy(() => import('../components/Afterwards.tsx').then((m) => ({ default: m.Afterwards })));

const useStyles = makeStyles({
  root: { height: '100dvh', backgroundColor: tokens.colorNeutralBackground2 },
});

export function App() {
  const styles = useStyles();
  const { isDark } = useThemeChoice();
  const isIdle = useIsIdle();
  useForgetOnChange();
  useEffect(keepFresh, []);
  useEffect(() => {
    if (isIdle) fetchNext();
  }, [isIdle]);
  useEffect(() => {
    document.body.style.margin = '0';
    document.documentElement.style.colorScheme = isDark ? 'dark' : 'light';
  }, [isDark]);
  return (
    <FluentProvider theme={isDark ? darkTheme : lightTheme}>
      <ErrorBoundary>
        <QueryClientProvider client={queryClient}>
          {/* not on the provider: its classes go to every portal, which would then cover the page */}
          <div className={styles.root}>
            <AppRoutes />
          </div>
          {isIdle && (
            <Suspense fallback={null}>
              <Afterwards />
            </Suspense>
          )}
        </QueryClientProvider>
      </ErrorBoundary>
    </FluentProvider>
  );
}
