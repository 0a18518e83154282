import type { EmailDto } from '@selvage/core/contracts/email';
import { useEffect } from 'react';
import { notify } from '../../components/feedback/notify.ts';

/** Prints a message; the code for it is fetched when it is wanted. */
export async function print(email: EmailDto): Promise<void> {
  try {
    const { printMessage } = await import('./print-message.ts');
    printMessage(email);
  } catch (error) {
    notify.error(error);
  }
}

/** The browser's key for printing prints the open message, and not the page with its lists. */
export function usePrintKey(email: EmailDto): void {
  useEffect(() => {
    const handle = (event: KeyboardEvent): void => {
      const isPrint = event.key === 'p' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      if (!isPrint || event.defaultPrevented) return;
      event.preventDefault();
      void print(email);
    };
    document.addEventListener('keydown', handle);
    return () => document.removeEventListener('keydown', handle);
  }, [email]);
}
