import { Button } from '@fluentui/react-components';
import { useEffect } from 'react';
import { ListScreen } from '../../components/list/ListScreen.tsx';
import { keyOf, millColumns, default as MillsPage, nameOf } from '../mills/MillsPage.tsx';
import { listIn } from '../mills/scenes.ts';
import { awaitThere } from '../settling.ts';
import { Specimen } from '../Specimen.tsx';

const HEIGHT = 480;
const live = listIn('live');
const none = listIn('none');
const three = listIn('three');
const many = listIn('many');
const slow = listIn('slow');
const failing = listIn('failing');

/** A whole screen as the product has them. Its mills can be found, added and deleted. */
export function WholeScreen() {
  return (
    <Specimen title="A screen as ops/docs/ADD-A-SCREEN.md makes it" shape="screen" height={640} path="/list">
      <MillsPage list={live} />
    </Specimen>
  );
}

export function Lists() {
  return (
    <>
      <Specimen title="200 rows" shape="screen" height={560} path="/list">
        <MillsPage list={many} />
      </Specimen>
      <Specimen title="Three rows, sorted" shape="screen" height={HEIGHT} path="/list?sort=-spindles">
        <MillsPage list={three} />
      </Specimen>
      <Specimen
        title="Narrowed, on its second page"
        shape="screen"
        height={HEIGHT}
        path="/list?state=running&limit=5&page=2"
      >
        <MillsPage list={many} />
      </Specimen>
    </>
  );
}

/** A list in which two rows are selected. */
export function ListSelection() {
  useEffect(
    () =>
      awaitThere(
        () => {
          const ticks = [...document.querySelectorAll<HTMLElement>('tbody input[type="checkbox"]')];
          return ticks.length > 0 ? ticks : null;
        },
        (ticks) => {
          for (const tick of ticks.slice(0, 2)) tick.click();
        },
      ),
    [],
  );
  return (
    <Specimen title="Two rows ticked" shape="screen" height={HEIGHT} path="/list">
      <ListScreen
        title="Mill Management"
        endpoint={three}
        queryKey={['mills', 'ticked']}
        searchLabel="Search mills"
        columns={millColumns()}
        keyOf={keyOf}
        nameOf={nameOf}
        linkOf={({ _id }) => `/dashboard/mill/${_id}`}
        empty={{ title: 'No mills found' }}
        renderSelection={({ chosen, chooseAll }) => (
          <>
            <Button size="small">Stop {chosen.length}</Button>
            <Button size="small" appearance="subtle" onClick={() => chooseAll(false)}>
              Cancel
            </Button>
          </>
        )}
      />
    </Specimen>
  );
}

export function ListPlaces() {
  return (
    <>
      <Specimen title="Loading" shape="screen" height={HEIGHT} path="/list">
        <MillsPage list={slow} />
      </Specimen>
      <Specimen title="Empty" shape="screen" height={HEIGHT} path="/list">
        <MillsPage list={none} />
      </Specimen>
      <Specimen title="Nothing matches" shape="screen" height={HEIGHT} path="/list?search=flax&state=sold">
        <MillsPage list={many} />
      </Specimen>
      <Specimen title="Failed" shape="screen" height={HEIGHT} path="/list">
        <MillsPage list={failing} />
      </Specimen>
    </>
  );
}
