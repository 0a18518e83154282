import { modelWords } from '../words/models.ts';
import { wordsOf } from './i18n.ts';

/** How a module is shown: the built-in ones in words, the added ones by their names. */
export function modelName(model: string): string {
  const names: Record<string, string> = wordsOf(modelWords);
  return Object.hasOwn(names, model) ? (names[model] ?? model) : model;
}
