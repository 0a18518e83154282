import type { ChoicesDto } from '@selvage/core/contracts/choices';
import { announceChoices, freshChoices } from './choices.ts';
import { readStored } from './read-stored.ts';
import { storageKeys } from './storage-keys.ts';

/** What was chosen here and the server has not confirmed. */
export function unsavedChoices(): ChoicesDto {
  return { ...readStored(storageKeys.unsavedChoices), ...freshChoices.get() };
}

/**
 * Takes the choices that the server keeps into this browser. What it does not know stays as it is
 * here, and so does what was chosen here since.
 */
export function takeChoices(kept: ChoicesDto): void {
  const { theme, density, page_sizes: sizes, ...all } = { ...kept, ...unsavedChoices() };
  if (theme) localStorage.setItem(storageKeys.theme, theme);
  if (density) localStorage.setItem(storageKeys.density, density);
  add(storageKeys.pageSizes, { ...sizes });
  add(storageKeys.navigation, { folded: all.folded, isRail: all.rail });
  add(storageKeys.mail, {
    isGrouped: all.grouped,
    afterwards: all.afterwards,
    pane: all.pane,
    areLabelsFolded: all.labels_folded,
    areFoldersFolded: all.folders_folded,
  });
  localStorage.setItem(storageKeys.choices, JSON.stringify(kept));
  announceChoices();
}

function add(key: string, values: Record<string, unknown>): void {
  const chosen = Object.entries(values).filter(([, value]) => value !== undefined);
  if (chosen.length === 0) return;
  localStorage.setItem(key, JSON.stringify({ ...readStored(key), ...Object.fromEntries(chosen) }));
}
