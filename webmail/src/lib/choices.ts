import type { ChoicesDto } from '@selvage/core/contracts/choices';
import { atom } from 'nanostores';
import type { DensityChoice, ThemeChoice } from '../theme/look.ts';
import { forgetWithPerson } from './forget.ts';
import { furtherStorageKeys } from './further-storage-keys.ts';
import { storageKeys } from './storage-keys.ts';

/*
 * How a person likes the app to be is kept by the server, for all of their devices. What this
 * browser stores is a copy, so that the first paint waits for no answer. Each part reads its own
 * copy, writes it when something is chosen, and notes the choice here; `save-choices.ts` tells the
 * server, and `take-choices.ts` takes what another device has chosen.
 */

/** What was chosen here and is not stored among the unsaved choices yet (`save-choices.ts`). */
export const freshChoices = atom<ChoicesDto>({});
forgetWithPerson(() => freshChoices.set({}));

/** Notes what the person has just chosen, once this browser has stored it. */
export function noteChoice(choice: ChoicesDto): void {
  freshChoices.set({ ...freshChoices.get(), ...choice });
}

/** Has all parts read their copies again, in this tab as the event itself does in the others. */
export function announceChoices(): void {
  window.dispatchEvent(new StorageEvent('storage', { key: furtherStorageKeys.choices }));
}

export function chooseTheme(theme: ThemeChoice): void {
  localStorage.setItem(storageKeys.theme, theme);
  announceChoices();
  noteChoice({ theme });
}

export function chooseDensity(density: DensityChoice): void {
  localStorage.setItem(storageKeys.density, density);
  announceChoices();
  noteChoice({ density });
}
