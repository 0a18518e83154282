import type { EmailDto } from '@selvage/core/contracts/email';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import type { Shortcuts } from '../../hooks/use-shortcuts.ts';
import { focusedId, leaveFocused } from './focused-message.ts';
import { mayBeArchived, mayBeJunk } from './folder-rules.ts';
import { openLabelMenu } from './labels/label-menu.ts';
import { askMove } from './own-folders/moving.ts';
import { wholeConversationQuery } from './queries.ts';
import { askSnooze, maySnooze } from './snoozing.ts';
import type { useAlone } from './use-alone.ts';
import { type AnswerKind, useAnswers } from './use-answers.ts';
import { useMayChange } from './use-may-change.ts';

type Item = EmailDto['replies'][number];

/** The message of a conversation that the focus is in; null where that is the open one, or none. */
export function focusedBeside(client: QueryClient, email: EmailDto): Item | null {
  const id = focusedId();
  if (id === null || id === email._id) return null;
  const earlier = client.getQueryData(wholeConversationQuery(email._id).queryKey)?.replies ?? [];
  return [...email.replies, ...earlier].find(({ _id }) => _id === id) ?? null;
}

interface Meaning {
  /** The keys for the open message, or for its conversation. */
  keys: Shortcuts;
  canCompose: boolean;
  /** A move takes the whole conversation, whichever of its messages has the focus. */
  isWhole: boolean;
  /** Keys that change mail act on ticked rows of the list. */
  isForTicked: boolean;
  alone: ReturnType<typeof useAlone>;
}

/**
 * The keys of an open message. If another message of the conversation has the focus, keys for a
 * single message act on that one.
 */
export function useFocusedKeys(email: EmailDto, { keys, canCompose, isWhole, isForTicked, alone }: Meaning): Shortcuts {
  const client = useQueryClient();
  const moves = useMoves(alone);
  const answer = useAnswers('alone');
  const answerBy = (kind: AnswerKind) => (item: Item) => canCompose && answer(item._id, kind);
  const ofOne: Record<string, (item: Item) => unknown> = {
    r: answerBy('reply'),
    a: answerBy('replyAll'),
    f: answerBy('forward'),
    ...(!isForTicked && { s: alone.star, U: alone.markUnread, ...(!isWhole && moves) }),
  };
  const either = ([key, run]: [string, (item: Item) => unknown]): [string, () => void] => [
    key,
    () => {
      const item = focusedBeside(client, email);
      if (item) run(item);
      else keys[key]?.();
    },
  ];
  return { ...keys, ...Object.fromEntries(Object.entries(ofOne).map(either)) };
}

/** The keys that move a single message. */
function useMoves(alone: Meaning['alone']): Record<string, (item: Item) => void> {
  const mayChange = useMayChange();
  const ifAllowed = (isMeant: (item: Item) => boolean, run: (item: Item) => void) => (item: Item) => {
    if (mayChange(item) && isMeant(item)) run(item);
  };
  const always = (): boolean => true;
  return {
    e: ifAllowed(mayBeArchived, (item) => alone.set(item, { archive_status: !item.archive_status })),
    '#': ifAllowed(always, (item) => {
      leaveFocused();
      alone.set(item, { trash_status: true });
    }),
    '!': ifAllowed(mayBeJunk, (item) => alone.set(item, { junk_status: !item.junk_status })),
    b: ifAllowed(maySnooze, (item) => askSnooze([item], (patch) => alone.set(item, patch))),
    v: ifAllowed(always, (item) => askMove([item], (patch) => alone.set(item, patch))),
    l: ifAllowed(always, (item) =>
      openLabelMenu(document.querySelector<HTMLElement>(`[data-message="${item._id}"]`), [item]),
    ),
  };
}

/**
 * The element at which the menu of labels opens: the button, or the subject if there is no room for
 * the button.
 */
export function placeOfLabels(): HTMLElement | null {
  const selectors = ['[data-label-button="message"]', '[data-open-subject]'];
  return selectors.map((selector) => document.querySelector<HTMLElement>(selector)).find(Boolean) ?? null;
}
