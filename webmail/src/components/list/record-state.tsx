import { type Abilities, type RecordState, recordStates } from '@selvage/core/contracts/records';
import { wordsOf } from '../../lib/i18n.ts';
import { choicesOf } from '../../lib/choices-of.ts';
import { recordWords } from '../../words/records.ts';
import { type StateKind, StateWord } from '../StateWord.tsx';
import type { RowAction } from './columns.ts';
import type { FilterField } from './ListToolbar.tsx';

/** A record that can be switched off and deleted. */
interface Stateful {
  active_status: boolean;
  deletedAt: string | null;
}

const kinds: Record<RecordState, StateKind> = { active: 'good', inactive: 'held', deleted: 'quiet' };

function stateOf({ active_status, deletedAt }: Stateful): RecordState {
  if (deletedAt !== null) return 'deleted';
  return active_status ? 'active' : 'inactive';
}

/** The state of a record. */
export function RecordStateWord({ record }: { record: Stateful }) {
  const state = stateOf(record);
  return <StateWord kind={kinds[state]}>{wordsOf(recordWords)[state]}</StateWord>;
}

/** The same as text. */
export const stateInWords = (record: Stateful): string => wordsOf(recordWords)[stateOf(record)];

/** Narrows a list to one state. Without it the list has all records that are not deleted. */
export function stateFilter(): FilterField {
  const t = wordsOf(recordWords);
  return { name: 'state', label: t.status, choices: choicesOf(recordStates, t) };
}

/** What is done when one of the usual entries of a row's menu is chosen. */
export type RecordActions<Row> = Partial<Record<keyof Abilities, (row: Row) => void>>;

/**
 * The usual entries of a row's menu, as far as the caller has the abilities.
 * @param further entries of the list's own, which stand after *Edit*; a false one is left out
 */
export function recordActionsOf<Row extends { abilities: Abilities }>(
  row: Row,
  run: RecordActions<Row>,
  further: readonly (RowAction | false)[] = [],
): RowAction[] {
  const t = wordsOf(recordWords);
  const entryOf = (name: keyof Abilities): RowAction | false => {
    const act = row.abilities[name] && run[name];
    if (!act) return false;
    return { label: t[name], run: () => act(row), isDangerous: name === 'delete' || name === 'erase' };
  };
  const entries = [entryOf('edit'), ...further, entryOf('restore'), entryOf('delete'), entryOf('erase')];
  return entries.filter((entry) => entry !== false);
}
