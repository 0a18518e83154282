/*
 * Every text of the interface is in `src/words`, one file for each screen or part. English is part
 * of the code, so it arrives with the screen that shows it. Another language would be a JSON file
 * of the same shape that is fetched when it is chosen.
 */
import {
  createI18n,
  type Messages,
  type params as libraryParams,
  transform,
  type Translations,
} from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { atom } from 'nanostores';

/** The language of the texts. Dates and numbers follow the browser's own settings. */
const locale = atom<'en'>('en');

/** Declares a part of the catalogue under a name of its own. */
export const words = createI18n(locale, {
  baseLocale: 'en',
  get: (code): Promise<never> => Promise.reject(new Error(`There is no catalogue for the language ${code}`)),
});

/** A part of the catalogue for a component, which renders again when the language changes. */
export function useWords<T extends Translations>(part: Messages<T>): T {
  return useStore(part);
}

/** A part of the catalogue for code outside of components, such as a toast. */
export function wordsOf<T extends Translations>(part: Messages<T>): T {
  return part.get();
}

/**
 * Fills in the `{names}` of a text. A value is put in as it is, whatever characters it contains;
 * one with letters that run from right to left is isolated, so that it turns none of the text
 * around it (UAX 9).
 */
export const params = transform((_code: string, text: string, values: Record<string, string | number> = {}) =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => shown(values[name]) ?? whole),
) as typeof libraryParams;

function shown(value: string | number | undefined): string | undefined {
  return typeof value === 'number' ? value.toLocaleString() : value && isolated(value);
}

const fromTheRight = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\ud802\ud803\ud83a\ud83b]/;

/** A text that turns nothing around it, whichever way it runs. */
export function isolated(text: string): string {
  return fromTheRight.test(text) ? `\u2068${text}\u2069` : text;
}

/** The forms of a text that counts something; `{count}` is the number. */
interface Forms {
  one: string;
  other: string;
}

/** Chooses the form that the language has for a number (CLDR plural rules). */
export const count = transform((code: string, forms: Forms & Record<string, string>, number: number) => {
  const form = forms[new Intl.PluralRules(code).select(number)] ?? forms.other;
  return form.replaceAll('{count}', () => number.toLocaleString());
}) as (forms: Forms) => (number: number) => string;
