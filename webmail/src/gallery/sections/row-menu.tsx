import { useEffect } from 'react';
import { FullTable } from './tables.tsx';
import { awaitThere } from '../settling.ts';
import { mills } from '../mills/mill-records.ts';
import { Specimen } from '../Specimen.tsx';

export function OpenRowMenu() {
  useEffect(() => {
    document.querySelector<HTMLElement>('[aria-haspopup="menu"]')?.click();
    return awaitThere(
      () => document.querySelector('[role="menu"]'),
      () => undefined,
    );
  }, []);
  return (
    <Specimen title="The menu of a row" shape="screen" height={300}>
      <FullTable rows={mills.slice(0, 3)} />
    </Specimen>
  );
}
