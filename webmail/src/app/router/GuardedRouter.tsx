import { type ReactNode, useEffect, useState } from 'react';
import {
  UNSAFE_createBrowserHistory as createBrowserHistory,
  unstable_HistoryRouter as HistoryRouter,
} from 'react-router-dom';
import { topCloser } from '../../lib/back-closes.ts';
import { askBeforeLogout } from '../../lib/request-logout.ts';
import { workLostByLeaving, workLostByLogout } from '../../lib/unsaved-work.ts';
import { guardHistory } from './guarded-history.ts';
import { useLeaveQuestion } from './use-leave-question.tsx';

/**
 * The router of the whole app. It stops a navigation, or a logout, that would lose what a person
 * has typed, and asks first.
 */
export function GuardedRouter({ children }: { children: ReactNode }) {
  const { ask, dialog } = useLeaveQuestion();
  const [history] = useState(() =>
    guardHistory(createBrowserHistory({ v5Compat: true }), {
      isClosed: () => workLostByLeaving().length > 0,
      closer: topCloser,
      ask: (leave) => void ask(workLostByLeaving()).then((isLeaving) => isLeaving && leave()),
    }),
  );
  useEffect(
    () =>
      askBeforeLogout(async () => {
        const works = workLostByLogout();
        return works.length === 0 || (await ask(works));
      }),
    [ask],
  );
  return (
    <HistoryRouter history={history}>
      {children}
      {dialog}
    </HistoryRouter>
  );
}
