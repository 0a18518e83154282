import type { EmailDto } from '@selvage/core/contracts/email';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { notify } from '../../components/feedback/notify.ts';
import type { Printed } from './print-message.ts';
import { aloneQuery, wholeConversationQuery } from './queries.ts';
import { focusedBeside } from './use-focused-keys.ts';

/** Prints a message; the code for it is fetched when it is wanted. */
export async function print(email: EmailDto): Promise<void> {
  try {
    const { printMessage } = await import('./print-message.ts');
    printMessage(email);
  } catch (error) {
    notify.error(error);
  }
}

async function printOther(client: QueryClient, id: string): Promise<void> {
  try {
    await print(await client.ensureQueryData(aloneQuery(id)));
  } catch (error) {
    notify.error(error);
  }
}

/**
 * The browser's key for printing prints the message that the focus is in, or the open one, and not
 * the page with its lists.
 */
export function usePrintKey(email: EmailDto): void {
  const client = useQueryClient();
  useEffect(() => {
    const handle = (event: KeyboardEvent): void => {
      const isPrint = event.key === 'p' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      if (!isPrint || event.defaultPrevented) return;
      event.preventDefault();
      const other = focusedBeside(client, email);
      void (other ? printOther(client, other._id) : print(email));
    };
    document.addEventListener('keydown', handle);
    return () => document.removeEventListener('keydown', handle);
  }, [client, email]);
}

/** Prints all of a conversation as one document, with or without what its messages quote. */
export function usePrintAll(email: EmailDto): (hasQuotes: boolean) => void {
  const client = useQueryClient();
  const { isPending, mutate } = useMutation({
    mutationFn: async (hasQuotes: boolean) => {
      const { printConversation } = await import('./print-message.ts');
      printConversation(email, { ...(await readAll(client, email)), hasQuotes });
    },
    onError: notify.error,
  });
  return (hasQuotes) => {
    // The document that was asked for is still being made
    if (!isPending) mutate(hasQuotes);
  };
}

/** How many messages are loaded at a time. */
const AT_ONCE = 4;
/** A document of more characters than this would take a phone's memory. */
const MOST_CHARACTERS = 20_000_000;

/**
 * The messages of a conversation with their texts, the newest as far as there is room. Those that
 * are not on the screen are among them.
 */
async function readAll(client: QueryClient, email: EmailDto): Promise<Omit<Printed, 'hasQuotes'>> {
  const whole = email.earlier_replies > 0 ? await client.fetchQuery(wholeConversationQuery(email._id)) : email;
  const others = whole.replies.filter(({ trash_status }) => !trash_status);
  const items = [...others, email].sort((one, other) => other.createdAt.localeCompare(one.createdAt));
  const read = async ({ _id }: { _id: string }): Promise<EmailDto> =>
    _id === email._id ? email : await client.ensureQueryData(aloneQuery(_id));
  const messages: EmailDto[] = [];
  let characters = 0;
  while (messages.length < items.length && characters < MOST_CHARACTERS) {
    const part = await Promise.all(items.slice(messages.length, messages.length + AT_ONCE).map(read));
    messages.push(...part);
    characters += part.reduce((sum, { body }) => sum + body.length, 0);
  }
  return { messages: messages.toReversed(), left: items.length - messages.length + whole.earlier_replies };
}
