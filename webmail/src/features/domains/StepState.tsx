import type { SetupStep } from '@selvage/core/contracts/setup-guide';
import { type StateKind, StateWord } from '../../components/StateWord.tsx';
import { useWords } from '../../lib/i18n.ts';
import { setupGuideWords } from '../../words/setup-guide.ts';

const kinds: Record<SetupStep['state'], StateKind> = { done: 'good', waiting: 'waiting', unknown: 'held' };

/** Whether the DNS says a record of the guide already; some steps have no record to add. */
export function StepState({ state, record }: Pick<SetupStep, 'state' | 'record'>) {
  const t = useWords(setupGuideWords);
  const word = state === 'waiting' && record === null ? t.notDone : t[state];
  return <StateWord kind={kinds[state]}>{word}</StateWord>;
}
