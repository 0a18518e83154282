import { Button } from '@fluentui/react-components';
import { AddRegular } from '@fluentui/react-icons/svg/add';
import type { Column, RowAction } from '../components/list/columns.ts';
import { ListScreen } from '../components/list/ListScreen.tsx';
import { StateWord } from '../components/StateWord.tsx';
import { listMills, type Mill, type MillScene, millStates } from './mills.ts';

export const columns: Column<Mill>[] = [
  { id: 'name', title: 'Mill', cell: ({ name }) => name, sort: 'name' },
  { id: 'town', title: 'Town', cell: ({ town }) => town, sort: 'town', width: '22%' },
  {
    id: 'state',
    title: 'Status',
    cell: ({ state }) => <StateWord kind={millStates[state].kind}>{millStates[state].word}</StateWord>,
    width: '120px',
  },
  {
    id: 'spindles',
    title: 'Spindles',
    cell: ({ spindles }) => spindles.toLocaleString(),
    sort: 'spindles',
    width: '110px',
    isAtEnd: true,
  },
  {
    id: 'opened',
    title: 'Opened',
    cell: ({ opened }) => new Date(opened).toLocaleDateString(undefined, { dateStyle: 'medium' }),
    sort: 'opened',
    width: '130px',
    isAtEnd: true,
    isWideOnly: true,
  },
];

export const keyOf = (mill: Mill): string => mill._id;
export const nameOf = (mill: Mill): string => mill.name;
export const linkOf = (mill: Mill): string => `/dashboard/mill/${mill._id}`;
export const actionsOf = (mill: Mill): RowAction[] => [
  { label: 'Edit', run: () => undefined },
  ...(mill.state === 'sold' ? [] : [{ label: 'Delete', run: () => undefined, isDangerous: true }]),
];

const options = {
  name: 'gallery-mills',
  sizes: [5, 10, 25, 50, 100],
  defaultSize: 10,
  sorts: ['name', 'town', 'spindles', 'opened'],
  defaultSort: 'name',
  filters: ['state'],
};
const states = Object.entries(millStates).map(([value, { word: label }]) => ({ value, label }));
const endpoints = {
  none: listMills('none'),
  three: listMills('three'),
  many: listMills('many'),
  slow: listMills('slow'),
  failing: listMills('failing'),
};

const add = (
  <Button appearance="primary" icon={<AddRegular />}>
    Add New Mill
  </Button>
);

/** A whole list of the kit over the sample call: what it shows is what a screen of the product would. */
export function MillList({ scene }: { scene: MillScene }) {
  return (
    <ListScreen
      title="Mill Management"
      endpoint={endpoints[scene]}
      queryKey={['gallery', scene]}
      options={options}
      searchLabel="Search mills"
      filters={[{ name: 'state', label: 'Status', choices: states }]}
      columns={columns}
      keyOf={keyOf}
      nameOf={nameOf}
      linkOf={linkOf}
      actionsOf={actionsOf}
      actions={add}
      empty={{
        title: 'No mills found',
        narrowedTitle: 'No mills found matching your search',
        hint: 'A mill spins what you sell. Add the first one to order from it.',
        action: add,
      }}
      renderSelection={({ chosen, chooseAll }) => (
        <>
          <Button size="small">Stop {chosen.length}</Button>
          <Button size="small" appearance="subtle" onClick={() => chooseAll(false)}>
            Cancel
          </Button>
        </>
      )}
    />
  );
}
