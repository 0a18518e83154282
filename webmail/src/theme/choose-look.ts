import { announceChoices, noteChoice } from '../lib/choices.ts';
import { storageKeys } from '../lib/storage-keys.ts';
import type { DensityChoice, ThemeChoice } from './look.ts';

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
