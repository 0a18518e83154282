import { lazy, type ReactNode, Suspense, useState } from 'react';
import {
  UNSAFE_createBrowserHistory as createBrowserHistory,
  unstable_HistoryRouter as HistoryRouter,
} from 'react-router-dom';
import { workLostByLeaving } from '../../lib/unsaved-work.ts';
import { guardHistory } from './guarded-history.ts';

const LeaveDialog = lazy(() => import('./LeaveDialog.tsx').then((m) => ({ default: m.LeaveDialog })));

/**
 * The router of the whole app. It stops a navigation that would lose what a person has typed, and
 * asks first.
 */
export function GuardedRouter({ children }: { children: ReactNode }) {
  const [leave, setLeave] = useState<(() => void) | null>(null);
  const [history] = useState(() =>
    guardHistory(createBrowserHistory({ v5Compat: true }), {
      isClosed: () => workLostByLeaving().length > 0,
      ask: (run) => setLeave(() => run),
    }),
  );
  return (
    <HistoryRouter history={history}>
      {children}
      {leave && (
        <Suspense fallback={null}>
          <LeaveDialog onLeave={leave} onClose={() => setLeave(null)} />
        </Suspense>
      )}
    </HistoryRouter>
  );
}
