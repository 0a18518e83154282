import type { EmailRowDto } from '@selvage/core/contracts/mail';
import { useMemo, useState } from 'react';

/** Which rows of the page in view are ticked. Rows that leave the page leave the selection. */
export function useListSelection(rows: EmailRowDto[]) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const chosen = useMemo(() => rows.filter((row) => ticked.has(row._id)), [rows, ticked]);

  const choose = (id: string, isChosen: boolean): void => {
    setTicked((old) => {
      const next = new Set(old);
      if (isChosen) next.add(id);
      else next.delete(id);
      return next;
    });
  };
  const chooseAll = (isChosen: boolean): void => setTicked(new Set(isChosen ? rows.map((row) => row._id) : []));
  const isChosen = (id: string): boolean => ticked.has(id);
  const share: boolean | 'mixed' = chosen.length === 0 ? false : chosen.length === rows.length ? true : 'mixed';
  return { chosen, share, choose, chooseAll, isChosen };
}
