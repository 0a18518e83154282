import { atom, computed } from 'nanostores';
import { storageKeys } from '../../../lib/storage-keys.ts';
import { COMPACT } from '../../../theme/breakpoints.ts';
import { takeTexts } from './windows.ts';

/** How messages are written if there is room: in windows beside the mail, or one at a time. */
export type Presentation = 'window' | 'full';

const read = (): Presentation => (localStorage.getItem(storageKeys.compose) === 'full' ? 'full' : 'window');

const chosen = atom<Presentation>(read());
const narrow = matchMedia(COMPACT);
const isRoomy = atom(!narrow.matches);

// Not in a component, because the texts must be taken over before the windows are unmounted
narrow.addEventListener('change', () => {
  takeTexts();
  isRoomy.set(!narrow.matches);
});

/** Whether there is room for windows. Without it a message fills the screen. */
export const hasRoom = isRoomy;

/** Whether messages are written in windows. */
export const isDocked = computed([chosen, isRoomy], (presentation, roomy) => roomy && presentation === 'window');

/** Remembers the choice on this device. */
export function choosePresentation(presentation: Presentation): void {
  takeTexts();
  localStorage.setItem(storageKeys.compose, presentation);
  chosen.set(presentation);
}
