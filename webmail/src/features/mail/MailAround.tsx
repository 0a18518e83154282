import { useStore } from '@nanostores/react';
import { type ReactNode, useLayoutEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { KeysRest } from '../../components/KeysRest.tsx';
import { lazyExtra } from '../../components/lazy-extra.tsx';
import { lazyPart } from '../../components/lazy-part.tsx';
import { useMedia } from '../../hooks/use-media.ts';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { originOf } from '../../lib/origin.ts';
import { ROOMY } from '../../theme/breakpoints.ts';
import { deleting } from './deleting.ts';
import { snoozing } from './snoozing.ts';
import { type Folder, modelOf } from './folders.ts';
import { labelIn, ownFolderIn, placeAt } from './mail-place.ts';
import { moving } from './own-folders/moving.ts';
import { labelMenu } from './labels/label-menu.ts';
import { LabelMenuHost } from './labels/LabelMenuHost.tsx';
import { useMailChoices } from './mail-choices.ts';

const SnoozeDialog = lazyExtra(() => import('./SnoozeDialog.tsx'), {
  Waiting: KeysRest,
  onMissing: () => snoozing.set(null),
});
const MoveDialog = lazyExtra(() => import('./own-folders/MoveDialog.tsx'), {
  Waiting: KeysRest,
  onMissing: () => moving.set(null),
});
const DeleteForGoodDialog = lazyExtra(() => import('./DeleteForGoodDialog.tsx'), { Waiting: KeysRest });
const ReadingPane = lazyPart(() => import('./ReadingPane.tsx'));

/**
 * Around the pages of folders, labels and their messages: where the person has chosen so and there
 * is room, the list stays beside the open message.
 */
export default function MailAround({ children }: { children: ReactNode }) {
  const isSnoozing = useStore(snoozing) !== null;
  const isMoving = useStore(moving) !== null;
  const asked = useStore(deleting);
  const { pathname } = useLocation();
  // A layout effect runs before the next page can ask a question, which must not be closed
  useLayoutEffect(() => closeQuestions, [pathname]);
  return (
    <>
      <WithPane>{children}</WithPane>
      <LabelMenuHost />
      {isSnoozing && <SnoozeDialog />}
      {isMoving && <MoveDialog />}
      {asked && <DeleteForGoodDialog rows={asked} onClose={() => deleting.set(null)} />}
    </>
  );
}

/** A question about the messages of one page closes when the person goes to another page. */
function closeQuestions(): void {
  snoozing.set(null);
  moving.set(null);
  deleting.set(null);
  labelMenu.set(null);
}

function WithPane({ children }: { children: ReactNode }) {
  const { pane } = useMailChoices();
  const isRoomy = useMedia(ROOMY);
  const location = useLocation();
  const person = useCurrentUser();
  const [, , first, rest = null] = location.pathname.split('/');
  // After `label` and `folder`, the address has the id of the label or the folder, not of a message
  const id = first === 'label' || first === 'folder' ? null : rest;
  const above = location.pathname
    .split('/')
    .slice(0, id === null ? undefined : 3)
    .join('/');
  const listAddress = id === null ? `${above}${location.search}` : (originOf(location) ?? above);
  const place = placeAt(listAddress.split('?')[0] ?? '');
  const isOfHost = place !== null && labelIn(place) === null && ownFolderIn(place) === null;
  const model = isOfHost ? modelOf(place as Folder) : 'inbox';
  const hasList = place !== null && can(person, { model, action: 'view' });
  // A message that was opened from a search has no list beside it
  if (pane === 'off' || !isRoomy || !hasList) return children;
  return (
    <ReadingPane place={pane} listAddress={listAddress} openId={id}>
      {children}
    </ReadingPane>
  );
}
