import type { TracedDto } from '@selvage/core/contracts/trace';
import type { StateKind } from '../../components/StateWord.tsx';
import { wordsOf } from '../../lib/i18n.ts';
import { reasonWords } from '../../words/message-trace.ts';

/** A reason of the ledger as the end of a sentence. One that is new says its own name. */
export function reasonInWords(reason: string | null): string {
  const t: Record<string, string> = { ...wordsOf(reasonWords) };
  if (reason === null) return t['unknown'] ?? '';
  return t[reason] ?? reason.replaceAll('_', ' ');
}

/** How good a state is. */
export const kindOfState: Record<TracedDto['state'], StateKind> = {
  stored: 'good',
  relayed: 'good',
  bounced: 'bad',
  queued: 'waiting',
  held: 'held',
  refused: 'bad',
  cancelled: 'quiet',
};
