import { QueryTypes, type Sequelize } from 'sequelize';
import { tablesOf } from '../support/schema.ts';

type Row = Record<string, unknown>;

/** Rows by the values of their primary keys, by table. */
export type Rows = Map<string, Map<string, Row>>;

/** What a migration counts for itself. */
const ownTables = new Set(['schema_migrations', 'schema_progress']);

/** Every row of a database. */
export async function rowsOf(db: Sequelize): Promise<Rows> {
  const all: Rows = new Map();
  for (const table of await tablesOf(db)) if (!ownTables.has(table)) all.set(table, await rowsOfTable(db, table));
  return all;
}

async function rowsOfTable(db: Sequelize, table: string): Promise<Map<string, Row>> {
  const keys = await db.query<{ Column_name: string }>(`SHOW KEYS FROM ${table} WHERE Key_name = 'PRIMARY'`, {
    type: QueryTypes.SELECT,
  });
  const names = keys.map((key) => key.Column_name);
  const rows = await db.query<Row>(`SELECT * FROM ${table}`, { type: QueryTypes.SELECT });
  return new Map(rows.map((row) => [names.map((name) => String(row[name])).join(' '), row]));
}

/**
 * Every row without its ids, in an order that depends on the rest alone: an engine does not give an
 * id again that a transaction had taken when it was rolled back.
 */
export function contentsOf(rows: Rows): string[] {
  const contents = [...rows].flatMap(([table, found]) =>
    [...found.values()].map((row) => `${table} ${JSON.stringify(withoutIds(row))}`),
  );
  return contents.toSorted();
}

function withoutIds(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !/(^|_)id$/.test(column)));
}

/**
 * Says which rows an upgrade has lost or changed, in the tables and columns that are there before
 * and after it. What it adds is left out. A step that rewrites values on purpose names the columns.
 * @param rewritten `table.column`
 */
export function changedRows(before: Rows, after: Rows, rewritten: ReadonlySet<string>): string[] {
  const changed: string[] = [];
  for (const [table, rows] of before) {
    const now = after.get(table);
    if (!now) continue;
    for (const [key, row] of rows) changed.push(...changesOf(`${table} ${key}`, row, now.get(key), table, rewritten));
  }
  return changed;
}

function changesOf(name: string, row: Row, now: Row | undefined, table: string, rewritten: ReadonlySet<string>) {
  if (!now) return [`${name} is gone`];
  const columns = Object.keys(row).filter((column) => column in now && !rewritten.has(`${table}.${column}`));
  const differing = columns.filter((column) => JSON.stringify(row[column]) !== JSON.stringify(now[column]));
  return differing.map((column) => `${name}: ${column} was ${JSON.stringify(row[column])}`);
}
