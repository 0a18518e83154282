import { useEffect, useRef, useState } from 'react';
import type { RowAction } from '../../components/list/columns.ts';
import { DataTable } from '../../components/list/DataTable.tsx';
import { Pagination } from '../../components/list/Pagination.tsx';
import { useSelection } from '../../hooks/use-selection.ts';
import type { MillDto } from '../mills/contract.ts';
import { keyOf, millColumns, nameOf } from '../mills/MillsPage.tsx';
import { mills } from '../mills/mill-records.ts';
import { Specimen } from '../Specimen.tsx';

const three = mills.slice(0, 3);
const columns = millColumns();
const sorts = ['name', 'town', 'spindles', 'opened'];
const linkOf = ({ _id }: MillDto): string => `/dashboard/mill/${_id}`;
const actionsOf = ({ state }: MillDto): RowAction[] => [
  { label: 'Edit', run: () => undefined },
  ...(state === 'sold' ? [] : [{ label: 'Delete', run: () => undefined, isDangerous: true }]),
];

/** A table of this many mills, whose rows use every feature. */
export function FullTable({ rows, ticked = 0 }: { rows: readonly MillDto[]; ticked?: number }) {
  const [sort, setSort] = useState('name');
  const selection = useSelection(rows, keyOf);
  const { choose } = selection;
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) return;
    isFirst.current = false;
    for (const mill of rows.slice(0, ticked)) choose(keyOf(mill), true);
  }, [choose, rows, ticked]);
  return (
    <DataTable
      label="Mills"
      columns={columns}
      rows={rows}
      keyOf={keyOf}
      nameOf={nameOf}
      linkOf={linkOf}
      actionsOf={actionsOf}
      sorts={sorts}
      sort={sort}
      onSort={setSort}
      selection={selection}
    />
  );
}

export function Tables() {
  return (
    <>
      <Specimen title="Three rows, one ticked" shape="screen" height={240}>
        <FullTable rows={mills.slice(1, 4)} ticked={1} />
      </Specimen>
      <Specimen title="Neither links, ticks nor menus" shape="screen" height={220}>
        <DataTable label="Mills" columns={columns.slice(0, 3)} rows={three} keyOf={keyOf} nameOf={nameOf} />
      </Specimen>
      <Specimen title="While another page is on its way" shape="screen" height={220}>
        <DataTable label="Mills" columns={columns} rows={three} keyOf={keyOf} nameOf={nameOf} isStale />
      </Specimen>
      <Specimen title="Pages" shape="screen">
        <SamplePages page={1} />
        <SamplePages page={3} />
        <SamplePages page={1} total={0} />
        <SamplePages page={118_342} total={1_183_420} />
      </Specimen>
    </>
  );
}

/** A large table alone on its page, since a test measures how long its rows take to show. */
export function LargeTable() {
  const [isShown, setShown] = useState(false);
  return (
    <Specimen title="200 rows" shape="screen" height={600}>
      {isShown ? (
        <FullTable rows={mills} />
      ) : (
        <button type="button" onClick={() => setShown(true)}>
          Show 200 rows
        </button>
      )}
    </Specimen>
  );
}

function SamplePages({ page, total = 28 }: { page: number; total?: number }) {
  const list = { page, limit: 10, sizes: [5, 10, 25], goTo: () => undefined, setLimit: () => undefined };
  return <Pagination list={list} total={total} totalPages={Math.ceil(total / 10)} />;
}
