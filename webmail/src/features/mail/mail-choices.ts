import { useStore } from '@nanostores/react';
import { atom } from 'nanostores';
import { noteChoice } from '../../lib/choices.ts';
import { furtherStorageKeys } from '../../lib/further-storage-keys.ts';
import { readStored } from '../../lib/read-stored.ts';
import { storageKeys } from '../../lib/storage-keys.ts';

/** How a person likes their mail to be shown. */
export interface MailChoices {
  /** Folders list conversations instead of messages. */
  isGrouped: boolean;
  /** What is shown after a message was archived or deleted. */
  afterwards: Afterwards;
  /** Where an open message is shown: on its own page, or beside or below the list. */
  pane: PanePlace;
  /**
   * The list's share of the room, in percent, for each place of the pane. It depends on the screen,
   * so it is kept only on this device.
   */
  paneShare: Record<'right' | 'bottom', number>;
  /** The action of a swipe to the right. */
  swipeRight: SwipeAction;
  /** The action of a swipe to the left. */
  swipeLeft: SwipeAction;
  /** The labels of the navigation are folded away below their heading. */
  areLabelsFolded: boolean;
  /** The person's own folders are folded away below their heading. */
  areFoldersFolded: boolean;
}

export const afterwardsChoices = ['list', 'next', 'previous'] as const;
export type Afterwards = (typeof afterwardsChoices)[number];

export const panePlaces = ['off', 'right', 'bottom'] as const;
export type PanePlace = (typeof panePlaces)[number];

export const swipeActions = ['archive', 'delete', 'read', 'none'] as const;
export type SwipeAction = (typeof swipeActions)[number];

/** Bounds of the list's share: both parts stay usable. */
export const LEAST_SHARE = 25;
export const MOST_SHARE = 70;

function readShare(stored: unknown, fallback: number): number {
  return typeof stored === 'number' && stored >= LEAST_SHARE && stored <= MOST_SHARE ? stored : fallback;
}

function read(): MailChoices {
  const stored = readStored(storageKeys.mail);
  const { isGrouped, goesOn, afterwards, pane, paneShare, areLabelsFolded, areFoldersFolded } = stored;
  const { right, bottom } = { ...(typeof paneShare === 'object' ? paneShare : {}) } as Record<string, unknown>;
  return {
    isGrouped: isGrouped !== false,
    // Older versions stored `goesOn`, when there were only two choices
    afterwards: afterwardsChoices.find((choice) => choice === afterwards) ?? (goesOn === true ? 'next' : 'list'),
    pane: panePlaces.find((place) => place === pane) ?? 'off',
    paneShare: { right: readShare(right, 38), bottom: readShare(bottom, 45) },
    swipeRight: swipeActions.find((action) => action === stored['swipeRight']) ?? 'archive',
    swipeLeft: swipeActions.find((action) => action === stored['swipeLeft']) ?? 'delete',
    areLabelsFolded: areLabelsFolded === true,
    areFoldersFolded: areFoldersFolded === true,
  };
}

const choices = atom<MailChoices>(read());
// The choices were changed in another tab, or on another device
window.addEventListener('storage', ({ key }) => {
  if (key === storageKeys.mail || key === furtherStorageKeys.choices) choices.set(read());
});

/** The names of the choices that the server keeps. */
const keptNames = {
  isGrouped: 'grouped',
  afterwards: 'afterwards',
  pane: 'pane',
  swipeRight: 'swipe_right',
  swipeLeft: 'swipe_left',
  areLabelsFolded: 'labels_folded',
  areFoldersFolded: 'folders_folded',
} as const;

export function choose(change: Partial<MailChoices>): void {
  choices.set({ ...choices.get(), ...change });
  localStorage.setItem(storageKeys.mail, JSON.stringify(choices.get()));
  for (const [name, value] of Object.entries(change)) {
    if (name in keptNames) noteChoice({ [keptNames[name as keyof typeof keptNames]]: value });
  }
}

export const mailChoices = (): MailChoices => choices.get();

export const useMailChoices = (): MailChoices => useStore(choices);
