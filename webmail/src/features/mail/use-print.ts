import type { EmailDto } from '@selvage/core/contracts/email';
import { signOf } from '@selvage/core/contracts/key-sign';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { notify } from '../../components/feedback/notify.ts';
import { aloneQuery } from './queries.ts';
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
      const isPrint = signOf(event) === 'p' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
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
      const { printConversation } = await import('./print-conversation.ts');
      await printConversation(client, { email, hasQuotes });
    },
    onError: notify.error,
  });
  return (hasQuotes) => {
    // The document that was asked for is still being made
    if (!isPending) mutate(hasQuotes);
  };
}
