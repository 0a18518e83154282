import type { ChoicesDto } from '@selvage/core/contracts/choices';
import { announceChoices, freshChoices } from './choices.ts';
import { furtherStorageKeys } from './further-storage-keys.ts';
import { readStored } from './read-stored.ts';
import { storageKeys } from './storage-keys.ts';

/** What was chosen here and the server has not confirmed. */
export function unsavedChoices(): ChoicesDto {
  return addChoices(readStored(furtherStorageKeys.unsavedChoices), freshChoices.get());
}

/** Page sizes are merged list by list, so that a new one keeps those of other lists. */
function addChoices(before: ChoicesDto, later: ChoicesDto): ChoicesDto {
  const sizes = { ...before.page_sizes, ...later.page_sizes };
  return { ...before, ...later, ...(Object.keys(sizes).length > 0 && { page_sizes: sizes }) };
}

/**
 * Takes the choices that the server keeps into this browser. Choices that the server does not know
 * stay as they are here, and so do choices made here since.
 */
export function takeChoices(kept: ChoicesDto): void {
  const text = JSON.stringify(kept);
  if (text === (localStorage.getItem(furtherStorageKeys.choices) ?? '{}')) return;
  const { theme, density, page_sizes: sizes, ...all } = addChoices(kept, unsavedChoices());
  if (theme) localStorage.setItem(storageKeys.theme, theme);
  if (density) localStorage.setItem(storageKeys.density, density);
  if (all.plain_text === true) localStorage.setItem(storageKeys.writing, 'plain');
  if (all.plain_text === false) localStorage.removeItem(storageKeys.writing);
  add(storageKeys.pageSizes, { ...sizes });
  add(storageKeys.navigation, { folded: all.folded, isRail: all.rail });
  add(storageKeys.mail, {
    isGrouped: all.grouped,
    afterwards: all.afterwards,
    pane: all.pane,
    swipeRight: all.swipe_right,
    swipeLeft: all.swipe_left,
    areLabelsFolded: all.labels_folded,
    areFoldersFolded: all.folders_folded,
  });
  localStorage.setItem(furtherStorageKeys.choices, text);
  announceChoices();
}

function add(key: string, values: Record<string, unknown>): void {
  const chosen = Object.entries(values).filter(([, value]) => value !== undefined);
  if (chosen.length === 0) return;
  localStorage.setItem(key, JSON.stringify({ ...readStored(key), ...Object.fromEntries(chosen) }));
}
