import { useStore } from '@nanostores/react';
import { atom } from 'nanostores';
import { storageKeys } from '../../lib/storage-keys.ts';

/** How a person likes their mail to be shown, on this device. */
export interface MailChoices {
  /** Folders list conversations instead of messages. */
  isGrouped: boolean;
  /** After a message was archived or deleted, the next one is opened instead of the list. */
  goesOn: boolean;
}

function read(): MailChoices {
  let stored: unknown = null;
  try {
    stored = JSON.parse(localStorage.getItem(storageKeys.mail) ?? 'null');
  } catch {
    // The stored text is not valid: nothing was chosen
  }
  const { isGrouped, goesOn } = { ...(typeof stored === 'object' ? stored : {}) } as Record<string, unknown>;
  return { isGrouped: isGrouped !== false, goesOn: goesOn === true };
}

const choices = atom<MailChoices>(read());

export function choose(change: Partial<MailChoices>): void {
  choices.set({ ...choices.get(), ...change });
  localStorage.setItem(storageKeys.mail, JSON.stringify(choices.get()));
}

export const mailChoices = (): MailChoices => choices.get();

export const useMailChoices = (): MailChoices => useStore(choices);
