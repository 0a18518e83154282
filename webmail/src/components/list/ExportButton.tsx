import type { Endpoint } from '@selvage/core/contracts/endpoint';
import { Button } from '@fluentui/react-components';
import { useState } from 'react';
import type { z } from 'zod';
import { apiPage } from '../../lib/api.ts';
import { toCsv } from '../../lib/csv.ts';
import { useWords } from '../../lib/i18n.ts';
import { saveFile } from '../../lib/save-file.ts';
import { listWords } from '../../words/lists.ts';
import { notify } from '../feedback/notify.ts';
import { Ring } from '../feedback/Ring.tsx';
import type { Column } from './columns.ts';

const ROWS_OF_CALL = 100;
/** The most rows that are exported: more of them would be a backup and not a list. */
const MOST_ROWS = 20_000;

interface Props<Row> {
  endpoint: Endpoint<z.ZodType, z.ZodType, z.ZodType, z.ZodType<Row[]>>;
  /** The query of the list as it stands, with its search, filters and order. */
  query: Record<string, string | number>;
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
  /** Name of the file, without its ending. */
  name: string;
}

/**
 * All rows of a list, page by page. A record that is added meanwhile moves later rows on, so a row
 * can be on two pages; it is exported once.
 */
async function allRows<Row>({ endpoint, query, keyOf }: Pick<Props<Row>, 'endpoint' | 'query' | 'keyOf'>) {
  const rows = new Map<string, Row>();
  for (let page = 1; ; page += 1) {
    const found = await apiPage(endpoint, { query: { ...query, page, limit: ROWS_OF_CALL } } as never);
    for (const row of found.rows) rows.set(keyOf(row), row);
    if (page >= found.pagination.totalPages || rows.size >= MOST_ROWS) return [...rows.values()].slice(0, MOST_ROWS);
  }
}

/** Saves the whole list as it is narrowed and sorted, as a file for a spreadsheet. */
export function ExportButton<Row>({ endpoint, query, columns, keyOf, name }: Props<Row>) {
  const t = useWords(listWords);
  const [isBusy, setBusy] = useState(false);
  const handleExport = async (): Promise<void> => {
    setBusy(true);
    try {
      const rows = await allRows({ endpoint, query, keyOf });
      const shown = columns.flatMap(({ title, text }) => (text ? [{ title, text }] : []));
      const lines = rows.map((row) => shown.map(({ text }) => text(row)));
      saveFile(`${name}.csv`, new Blob([toCsv([shown.map(({ title }) => title), ...lines])], { type: 'text/csv' }));
      if (rows.length >= MOST_ROWS) notify.info(t.exportCut(MOST_ROWS));
    } catch (error) {
      notify.error(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button disabledFocusable={isBusy} icon={isBusy ? <Ring /> : undefined} onClick={() => void handleExport()}>
      {t.export}
    </Button>
  );
}
