import { wordsOf } from './i18n.ts';
import { activityWords } from '../words/activity.ts';

/** One event in plain words; of an event that is not known here, its own words. */
export function activityInWords(action: string): string {
  const sentences: Partial<Record<string, string>> = wordsOf(activityWords);
  const known = sentences[action];
  if (known) return known;
  const [subject = '', verb = ''] = action.split(':').map((part) => part.replaceAll(/[-_]/g, ' ').trim());
  const words = [subject, verb].filter(Boolean).join(': ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
