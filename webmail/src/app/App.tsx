import { FluentProvider, makeStyles, Toaster, tokens } from '@fluentui/react-components';
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect } from 'react';
import { TOASTER_ID } from '../components/notify.tsx';
import { queryClient } from '../lib/query-client.ts';
import { keepFresh } from '../lib/refresh.ts';
import { darkTheme, lightTheme } from '../lib/theme.ts';
import { useThemeChoice } from '../lib/theme-choice.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { AppRoutes } from './AppRoutes.tsx';
import { useForgetOnChange } from './use-session.ts';

const useStyles = makeStyles({
  root: { height: '100dvh', backgroundColor: tokens.colorNeutralBackground2 },
});

export function App() {
  const styles = useStyles();
  const { isDark } = useThemeChoice();
  useForgetOnChange();
  useEffect(keepFresh, []);
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
          <Toaster toasterId={TOASTER_ID} position="bottom-start" limit={3} pauseOnHover />
        </QueryClientProvider>
      </ErrorBoundary>
    </FluentProvider>
  );
}
