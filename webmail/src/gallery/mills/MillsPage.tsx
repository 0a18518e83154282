import { useState } from 'react';
import type { Column } from '../../components/list/columns.ts';
import { ListScreen } from '../../components/list/ListScreen.tsx';
import { type StateKind, StateWord } from '../../components/StateWord.tsx';
import { choicesOf } from '../../lib/choices-of.ts';
import { fullDay } from '../../lib/format.ts';
import { useWords, wordsOf } from '../../lib/i18n.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { createMill, listMills, type MillDto, millStates } from './contract.ts';
import { AddMillDialog, DeleteMillDialog, millsKey } from './mill-dialogs.tsx';
import { millWords } from './mill-words.ts';

const kinds: Record<MillDto['state'], StateKind> = {
  running: 'good',
  starting: 'waiting',
  stopped: 'bad',
  sold: 'quiet',
};

/** The columns of the list. A column by which the contract sorts has the contract's name for it. */
export function millColumns(): Column<MillDto>[] {
  const t = wordsOf(millWords);
  const stateOf = ({ state }: MillDto) => <StateWord kind={kinds[state]}>{t[state]}</StateWord>;
  return [
    { id: 'name', title: t.name, cell: ({ name }) => name },
    { id: 'town', title: t.town, cell: ({ town }) => town, width: '22%' },
    { id: 'state', title: t.state, cell: stateOf, width: '120px' },
    { id: 'spindles', title: t.spindles, cell: ({ spindles }) => spindles.toLocaleString(), isAtEnd: true },
    { id: 'opened', title: t.opened, cell: ({ opened }) => fullDay(opened), isAtEnd: true, isWideOnly: true },
  ];
}

export const keyOf = (mill: MillDto): string => mill._id;
export const nameOf = (mill: MillDto): string => mill.name;

/** The sample page of mills, which can be found, added and deleted. */
export default function MillsPage({ list = listMills }: { list?: typeof listMills }) {
  const t = useWords(millWords);
  const { delete: remove } = useWords(dialogWords);
  const [isAdding, setAdding] = useState(false);
  const [leaving, setLeaving] = useState<MillDto | null>(null);
  return (
    <>
      <ListScreen
        title={t.title}
        endpoint={list}
        queryKey={[...millsKey, list.path]}
        searchLabel={t.search}
        filters={[{ name: 'state', label: t.state, choices: choicesOf(millStates, t) }]}
        columns={millColumns()}
        keyOf={keyOf}
        nameOf={nameOf}
        actionsOf={(mill) => [{ label: remove, run: () => setLeaving(mill), isDangerous: true }]}
        add={{ call: createMill, label: t.add, run: () => setAdding(true) }}
        empty={{ title: t.none, narrowedTitle: t.noneFound, hint: t.hint }}
      />
      {isAdding && <AddMillDialog onClose={() => setAdding(false)} />}
      {leaving && <DeleteMillDialog mill={leaving} onClose={() => setLeaving(null)} />}
    </>
  );
}
