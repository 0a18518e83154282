import { findRecipients, type RecipientDto } from '@selvage/core/contracts/recipients';
import { useQuery } from '@tanstack/react-query';
import { useDebounced } from '../../../hooks/use-debounced.ts';
import { can } from '../../../lib/can.ts';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { recipientsQuery, suggestionsIn } from '../compose/recipient-suggestions.ts';
import { isPlain } from './search-text.ts';

/** Letters that come faster than this are asked for together. */
const TYPED_WITHIN_MS = 120;
const MOST_PEOPLE = 3;

/** A person who may be meant by what is typed, and what the text of the search is then. */
export interface PersonMeant extends Pick<RecipientDto, 'name' | 'address'> {
  operator: 'from' | 'to';
  text: string;
}

/** What is typed of a person: all of a plain text, or what stands after `from:` at its end. */
function typedOf(text: string): { before: string; operator: PersonMeant['operator']; name: string } | null {
  if (isPlain(text)) return { before: '', operator: 'from', name: text.trim() };
  const [, before = '', operator = '', name = ''] = /^(|.*\s)(from|to):"?([^":]*)$/i.exec(text) ?? [];
  if (name.trim() === '') return null;
  return { before, operator: operator.toLowerCase() === 'to' ? 'to' : 'from', name: name.trim() };
}

/** The people of the company and those the person writes to, as far as the text may mean them. */
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
