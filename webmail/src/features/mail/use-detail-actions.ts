import type { EmailDto } from '@selvage/core/contracts/email';
import { useStore } from '@nanostores/react';
import { useLocation, useNavigate } from 'react-router-dom';
import { type Shortcuts, useShortcuts } from '../../hooks/use-shortcuts.ts';
import { wayBack } from '../../lib/origin.ts';
import { openCompose } from './compose/compose-store.ts';
import { composeNew } from './ComposeButton.tsx';
import { endBeside, endsOf } from './conversation-ends.ts';
import { mayBeArchived, mayBeJunk } from './folder-rules.ts';
import { openLabelMenu } from './labels/label-menu.ts';
import type { Labelled } from './labels/use-change-labels.ts';
import { askMove } from './own-folders/moving.ts';
import { useMailChoices } from './mail-choices.ts';
import { placeAt } from './mail-place.ts';
import { mayBeGrouped } from './page-of-mail.ts';
import { hasTicked, usePane } from './pane.ts';
import { askSnooze, maySnooze } from './snoozing.ts';
import { useAlone } from './use-alone.ts';
import { type StatusPatch, useChangeStatus } from './use-change-status.ts';
import { placeOfLabels, useFocusedKeys } from './use-focused-keys.ts';
import { useMayChange } from './use-may-change.ts';
import { useNeighbours } from './use-neighbours.ts';

export type DetailActions = ReturnType<typeof useDetailActions>;

/**
 * The actions on an open message, for buttons and keys. If lists show conversations, a move takes
 * the whole conversation. It leads back to the list, or to the next message, as the person has
 * chosen.
 */
export function useDetailActions(email: EmailDto, canCompose: boolean) {
  const navigate = useNavigate();
  const location = useLocation();
  const { pathname, state } = location as { pathname: string; state: unknown };
  const origin = wayBack(location);
  const changeStatus = useChangeStatus();
  const mayChange = useMayChange()(email);

  const { isGrouped, afterwards } = useMailChoices();
  const pane = usePane();
  // While rows are ticked in the list beside the message, keys act on those rows
  const isForTicked = useStore(hasTicked) && pane !== null;
  const { previous, next } = useNeighbours(email._id);

  // A search lists single messages, as some places do
  const place = placeAt(origin.split('?')[0] ?? '');
  const isWhole = isGrouped && place !== null && mayBeGrouped(place);
  const back = (): void => void navigate(origin);
  /** In a reading pane, another message takes the place of one that leaves, if there is one. */
  const goOn = (): void => {
    const wanted = { list: pane ? next : null, next, previous }[afterwards];
    const going = wanted ?? (pane ? (next ?? previous) : null) ?? back;
    going();
  };
  /** Shows the rest of the conversation, when the open message has left it. */
  const showRest = (): void => {
    const rest = email.replies.findLast(({ trash_status }) => !trash_status);
    if (!rest) goOn();
    else void navigate(pathname.replace(/[^/]+$/, rest._id), { state, replace: true });
  };
  // A second press, while the next page is loading, would take back the first
  const isLeft = (): boolean => window.location.pathname !== pathname;
  const move = (patch: StatusPatch) => (): void => {
    if (!mayChange || isLeft()) return;
    const { newest, number } = endBeside(email);
    if (isWhole) {
      void changeStatus({ records: [newest], patch, wholeOf: number, isSaid: true });
    } else void changeStatus({ records: [email], patch, isSaid: true });
    goOn();
  };
  const markUnread = (): void => {
    if (!mayChange || isLeft()) return;
    void changeStatus({ records: [email], patch: { read_status: false }, isSaid: true });
    back();
  };
  const answer = (kind: 'reply' | 'replyAll' | 'forward') => (): void => {
    if (!canCompose) return;
    openCompose(kind === 'forward' ? { kind, email } : { kind: 'reply', email, isToAll: kind === 'replyAll' });
  };

  const alone = useAlone(email, { back, showRest });
  const actions = {
    mayChange,
    /** Whether the other actions move all of the conversation. */
    isWhole,
    /** Actions on a single message of the conversation. */
    alone,
    back,
    goOn,
    /** Left out for what is in Junk or in the trash. */
    archive: mayBeArchived(email) ? move({ archive_status: !email.archive_status }) : null,
    trash: move({ trash_status: !email.trash_status }),
    /** Left out for what is neither in the inbox nor snoozed. */
    snooze: mayChange && maySnooze(email) ? () => askSnooze([email], (patch) => move(patch)()) : null,
    /** Left out for what the person sent, and for what is in the trash. */
    junk: mayBeJunk(email) ? move({ junk_status: !email.junk_status }) : null,
    askMove: () => mayChange && askMove([email], (patch) => move(patch)()),
    markUnread,
    /** The records that get a label. */
    labelled: isWhole ? labelledOf(email) : [email],
    previous,
    next,
    star: () => void changeStatus({ records: [email], patch: { star_status: !email.star_status } }),
    reply: answer('reply'),
    replyAll: answer('replyAll'),
    forward: answer('forward'),
  };
  const keys = keysOf(actions, { canCompose, isForTicked });
  useShortcuts(useFocusedKeys(email, { keys, canCompose, isWhole, isForTicked, alone }));
  return actions;
}

interface Meant {
  canCompose: boolean;
  isForTicked: boolean;
}

/** The keys for the open message, or for all of its conversation. */
function keysOf(actions: DetailActions, { canCompose, isForTicked }: Meant): Shortcuts {
  const { mayChange, archive, snooze, junk, next, previous } = actions;
  return {
    u: actions.back,
    ...(next && { j: next }),
    ...(previous && { k: previous }),
    ...(!isForTicked && {
      ...(archive && { e: archive }),
      U: actions.markUnread,
      '#': actions.trash,
      ...(snooze && { b: snooze }),
      ...(junk && { '!': junk }),
      s: actions.star,
      v: actions.askMove,
      ...(mayChange && { l: () => openLabelMenu(placeOfLabels(), actions.labelled) }),
    }),
    r: actions.reply,
    a: actions.replyAll,
    f: actions.forward,
    ...(canCompose ? { c: composeNew } : {}),
  };
}

/** The messages of a conversation, of which the newest of each folder stand for all. */
function labelledOf(email: EmailDto): Labelled[] {
  const ends = new Set(endsOf(email).map(({ _id }) => _id));
  return [email, ...email.replies, ...email.twins].map((item) =>
    ends.has(item._id) ? { ...item, isEnd: true } : item,
  );
}
