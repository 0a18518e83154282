import { findRecipients, forgetRecipient, type RecipientDto } from '@selvage/core/contracts/recipients';
import { askedBeginnings, fitsPerson, personWords } from '@selvage/core/mail/person-words';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from '../../../lib/api.ts';
import { isWholeMailbox, type Recipient } from './recipients.ts';

const keyOfAll = ['mail', 'recipients'] as const;
const MOST_SHOWN = 8;
const FRESH_FOR_MS = 60_000;

/**
 * Suggestions of the server for a text; for an empty text, the people whom the person writes to
 * most.
 */
export function recipientsQuery(text: string) {
  return queryOptions({
    queryKey: [...keyOfAll, text],
    queryFn: ({ signal }) => api(findRecipients, { query: { q: text }, signal }),
    staleTime: FRESH_FOR_MS,
    // No retry: without suggestions the person types the whole address
    retry: false,
  });
}

/** The part of a field's text to look up: the part after the last separator. */
export function askedFor(text: string): string {
  return text.trim().replace(/\s+/g, ' ').slice(0, 320);
}

/**
 * The known people who match the text, without those who are recipients already. The answer for an
 * earlier text serves until the answer for this one arrives.
 */
export function suggestionsIn(
  people: readonly RecipientDto[],
  text: string,
  recipients: readonly Recipient[],
): RecipientDto[] {
  const beginnings = askedBeginnings(text);
  const present = new Set(recipients.map(({ address }) => address.toLowerCase()));
  const fitting = people.filter(
    (one) => !present.has(one.address.toLowerCase()) && fitsPerson(personWords(one), beginnings),
  );
  const once = new Map(fitting.map((one) => [one.address.toLowerCase(), one]));
  return [...once.values()].slice(0, MOST_SHOWN);
}

/**
 * The suggestion that Enter and Tab take unless the person has chosen another: none if the text is
 * a whole address.
 */
export function firstActive(text: string): number {
  return text.trim() === '' || isWholeMailbox(text) ? -1 : 0;
}

/** Whether the person can remove a suggestion from the list. Colleagues and groups stay. */
export function isForgettable({ kind }: RecipientDto): boolean {
  return kind === 'written';
}

/** No longer offers a recipient whom the person has written to before. */
export async function forgetSuggestion(client: QueryClient, { address }: RecipientDto): Promise<void> {
  await client.cancelQueries({ queryKey: keyOfAll });
  client.setQueriesData<RecipientDto[]>({ queryKey: keyOfAll }, (people) =>
    people?.filter((one) => one.address !== address),
  );
  try {
    await api(forgetRecipient, { body: { address } });
  } finally {
    await client.invalidateQueries({ queryKey: keyOfAll });
  }
}
