import { lazy, type ReactNode, Suspense } from 'react';
import { useLocation } from 'react-router-dom';
import { PageSpinner } from '../../components/feedback/PageSpinner.tsx';
import { useMedia } from '../../hooks/use-media.ts';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { loadModule } from '../../lib/load-module.ts';
import { originOf } from '../../lib/origin.ts';
import { ROOMY } from '../../theme/breakpoints.ts';
import { isFolder, modelOf } from './folders.ts';
import { useMailChoices } from './mail-choices.ts';

const ReadingPane = lazy(() => loadModule(() => import('./ReadingPane.tsx')));

/**
 * Around the pages of folders and their messages: where the person has chosen so and there is room,
 * the list stays beside the open message.
 */
export default function MailAround({ children }: { children: ReactNode }) {
  const { pane } = useMailChoices();
  const isRoomy = useMedia(ROOMY);
  const location = useLocation();
  const person = useCurrentUser();
  const [, , , id = null] = location.pathname.split('/');
  const above = location.pathname.split('/').slice(0, 3).join('/');
  const listAddress = id === null ? `${above}${location.search}` : (originOf(location) ?? above);
  const name = listAddress.split(/[/?]/)[2];
  const hasList = isFolder(name) && can(person, { model: modelOf(name), action: 'view' });
  // a message that was found by a search stands alone
  if (pane === 'off' || !isRoomy || !hasList) return children;
  return (
    <Suspense fallback={<PageSpinner />}>
      <ReadingPane place={pane} listAddress={listAddress} openId={id}>
        {children}
      </ReadingPane>
    </Suspense>
  );
}
