import { findRecipients, type RecipientDto } from '@selvage/core/contracts/recipients';
import { useQuery } from '@tanstack/react-query';
import { useDebounced } from '../../../hooks/use-debounced.ts';
import { can } from '../../../lib/can.ts';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { recipientsQuery, suggestionsIn } from '../compose/recipient-suggestions.ts';
import { isPlain } from './search-text.ts';

/** Letters that are typed faster than this make one request. */
const TYPED_WITHIN_MS = 120;
const MOST_PEOPLE = 3;

/** A person who matches the typed text, and the text of the search for that person. */
export interface PersonMeant extends Pick<RecipientDto, 'name' | 'address'> {
  operator: 'from' | 'to';
  text: string;
}

/**
 * The part of the text that may be a person: all of a plain text, or the part after a final
 * `from:`.
 */
function typedOf(text: string): { before: string; operator: PersonMeant['operator']; name: string } | null {
  if (isPlain(text)) return { before: '', operator: 'from', name: text.trim() };
  const [, before = '', operator = '', name = ''] = /^(|.*\s)(from|to):"?([^":]*)$/i.exec(text) ?? [];
  if (name.trim() === '') return null;
  return { before, operator: operator.toLowerCase() === 'to' ? 'to' : 'from', name: name.trim() };
}

/** People of the company, and people whom the person writes to, who match the text. */
export function usePeopleMeant(text: string, isOpen: boolean): PersonMeant[] {
  const may = can(useCurrentUser(), findRecipients);
  const typed = typedOf(text);
  const name = typed?.name ?? '';
  const asked = useDebounced(name, TYPED_WITHIN_MS);
  const { data = [] } = useQuery({
    ...recipientsQuery(asked),
    enabled: may && isOpen && asked !== '',
    placeholderData: (before) => before,
  });
  if (!typed || !isOpen) return [];
  const { before, operator } = typed;
  return suggestionsIn(data, name, [])
    .slice(0, MOST_PEOPLE)
    .map((person) => ({ ...person, operator, text: `${before}${operator}:${person.address}` }));
}
