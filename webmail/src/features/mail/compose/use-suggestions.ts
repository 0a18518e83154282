import { findRecipients, type RecipientDto } from '@selvage/core/contracts/recipients';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { notify } from '../../../components/feedback/notify.ts';
import { useDebounced } from '../../../hooks/use-debounced.ts';
import { useOnceLoaded } from '../../../hooks/use-once-loaded.ts';
import { can } from '../../../lib/can.ts';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { isOfInputMethod } from '../../../lib/input-method.ts';
import {
  askedFor,
  firstActive,
  forgetSuggestion,
  isForgettable,
  recipientsQuery,
  suggestionsIn,
} from './recipient-suggestions.ts';
import type { Recipient } from './recipients.ts';

/** Letters that are typed faster than this make one request. */
const TYPED_WITHIN_MS = 120;

interface Options {
  text: string;
  recipients: readonly Recipient[];
  onTake: (person: RecipientDto) => void;
  /** Enter or Tab was pressed before the suggestions came, and none of them fits. */
  onNobody: () => void;
}

export type Suggestions = ReturnType<typeof useSuggestions>;

/** The suggestions of a recipient field while the person types, and the keys that work on them. */
export function useSuggestions({ text, recipients, onTake, onNobody }: Options) {
  const client = useQueryClient();
  /** Whether the person is typing here, and has not closed the list. */
  const [isWanted, setWanted] = useState(false);
  /**
   * The address that the person has moved to; null until then. It is no index, because a late
   * answer of the server may put others before it, and the next key would take the wrong one.
   */
  const [chosen, setChosen] = useState<string | null>(null);
  const { people, isLoaded } = useFittingPeople({ text, recipients, isWanted });
  const isOpen = people.length > 0;
  const place = people.findIndex(({ address }) => address === chosen);
  const active = place >= 0 || !isOpen ? place : firstActive(text);

  const hide = (): void => {
    setWanted(false);
    setChosen(null);
  };
  const take = (person: RecipientDto): void => {
    hide();
    onTake(person);
  };
  const enter = useOnceLoaded(isLoaded || isOpen, () => {
    const person = people[active];
    if (person) return take(person);
    hide();
    onNobody();
  });
  const close = (): void => {
    hide();
    enter.takeBack();
  };
  const forget = (person: RecipientDto): void => {
    forgetSuggestion(client, person).catch(notify.error);
  };
  /** @returns whether the key was meant for the list */
  const handleKey = (event: KeyboardEvent): boolean => {
    const { key } = event;
    if (isOfInputMethod(event.nativeEvent)) return false;
    if ((key === 'ArrowDown' || key === 'ArrowUp') && !event.altKey) {
      event.preventDefault();
      setWanted(true);
      if (!isOpen) return true;
      const step = key === 'ArrowDown' ? 1 : -1;
      const next = active < 0 && step < 0 ? people.length - 1 : (active + step + people.length) % people.length;
      setChosen(people[next]?.address ?? null);
      return true;
    }
    const isEnter = key === 'Enter' && !event.ctrlKey && !event.metaKey;
    const isTab = key === 'Tab' && !event.shiftKey;
    if ((isEnter || isTab) && !isOpen && !isLoaded && firstActive(text) === 0) {
      // Tab goes on to the next field all the same
      if (isEnter) event.preventDefault();
      enter.ask();
      return true;
    }
    if (!isOpen) return false;
    const person = people[active];
    if ((isEnter || isTab) && person) {
      event.preventDefault();
      take(person);
      return true;
    }
    if (key === 'Delete' && event.shiftKey && person && isForgettable(person)) {
      event.preventDefault();
      if (chosen !== null) setChosen((people[active + 1] ?? people[active - 1])?.address ?? null);
      forget(person);
      return true;
    }
    if (key !== 'Escape') return false;
    event.preventDefault();
    // Escape would also close the window
    event.stopPropagation();
    close();
    return true;
  };
  /** @returns whether an Enter has waited for the suggestions until now */
  const handleTyped = (): boolean => {
    setWanted(true);
    setChosen(null);
    return enter.takeBack();
  };
  return { people, isOpen, active, take, forget, close, handleKey, handleTyped, waits: enter.waits };
}

type Looked = Pick<Options, 'text' | 'recipients'> & { isWanted: boolean };

/** The people who fit the text, and whether the server has answered for this very text. */
function useFittingPeople({ text, recipients, isWanted }: Looked) {
  const isAsking = can(useCurrentUser(), findRecipients) && isWanted;
  const typed = askedFor(text);
  const asked = useDebounced(typed, TYPED_WITHIN_MS);
  const first = useQuery({ ...recipientsQuery(''), enabled: isAsking });
  const found = useQuery({
    ...recipientsQuery(asked),
    enabled: isAsking && asked !== '',
    placeholderData: (before) => before,
  });
  const people = isWanted ? suggestionsIn([...(found.data ?? []), ...(first.data ?? [])], typed, recipients) : [];
  const isLoaded = !isAsking || (asked === typed && !found.isFetching && !first.isLoading);
  return { people, isLoaded };
}
