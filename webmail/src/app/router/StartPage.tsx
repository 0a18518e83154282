import { Navigate } from 'react-router-dom';
import { StatusPage } from '../../components/page/StatusPage.tsx';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import { feedbackWords } from '../../words/feedback.ts';
import { navigationOf } from '../shell/navigation.ts';

/** The first page of the navigation that the person may open. */
export function StartPage() {
  const t = useWords(feedbackWords);
  const [first] = navigationOf(useCurrentUser()).flatMap(({ items }) => items);
  if (first) return <Navigate to={first.path} replace />;
  return <StatusPage title={t.nothingTitle} hint={t.nothingText} />;
}
