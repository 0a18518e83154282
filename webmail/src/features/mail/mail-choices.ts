import { useStore } from '@nanostores/react';
import { atom } from 'nanostores';
import { storageKeys } from '../../lib/storage-keys.ts';

/** How a person likes their mail to be shown, on this device. */
export interface MailChoices {
  /** Folders list conversations instead of messages. */
  isGrouped: boolean;
  /** After a message was archived or deleted, the next one is opened instead of the list. */
  goesOn: boolean;
  /** Where an open message stands: on a page of its own, or beside or below the list. */
  pane: PanePlace;
  /** The list's share of the room, in percent, for each place of the pane. */
  paneShare: Record<'right' | 'bottom', number>;
}

export const panePlaces = ['off', 'right', 'bottom'] as const;
export type PanePlace = (typeof panePlaces)[number];

/** Bounds of the list's share: both parts stay usable. */
export const leastShare = 25;
export const mostShare = 70;

function readShare(stored: unknown, fallback: number): number {
  return typeof stored === 'number' && stored >= leastShare && stored <= mostShare ? stored : fallback;
}

function read(): MailChoices {
  let stored: unknown = null;
  try {
    stored = JSON.parse(localStorage.getItem(storageKeys.mail) ?? 'null');
  } catch {
    // The stored text is not valid: nothing was chosen
  }
  const { isGrouped, goesOn, pane, paneShare } = { ...(typeof stored === 'object' ? stored : {}) } as Record<
    string,
    unknown
  >;
  const { right, bottom } = { ...(typeof paneShare === 'object' ? paneShare : {}) } as Record<string, unknown>;
  return {
    isGrouped: isGrouped !== false,
    goesOn: goesOn === true,
    pane: panePlaces.find((place) => place === pane) ?? 'off',
    paneShare: { right: readShare(right, 38), bottom: readShare(bottom, 45) },
  };
}

const choices = atom<MailChoices>(read());

export function choose(change: Partial<MailChoices>): void {
  choices.set({ ...choices.get(), ...change });
  localStorage.setItem(storageKeys.mail, JSON.stringify(choices.get()));
}

export const mailChoices = (): MailChoices => choices.get();

export const useMailChoices = (): MailChoices => useStore(choices);
