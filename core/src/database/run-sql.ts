import { format } from 'mysql2';
import { QueryTypes } from 'sequelize';
import { sqlMoment, type WriteTarget } from './insert-rows.ts';

/** What a place holder stands for. A list fills `IN (?)`. */
export type SqlValue = string | number | boolean | Date | null | readonly (string | number)[];

/*
 * Rows that are read and written for every message go this way and not through models: building a
 * model instance and its SQL costs several times what the statement costs the database. Each
 * statement names its columns once, and its rows have a type.
 */

/** Reads rows. Moments are dates, and ids are strings. */
export async function readRows<Row extends object>(
  { app, tx }: WriteTarget,
  statement: string,
  values: readonly SqlValue[],
): Promise<Row[]> {
  const sql = format(statement, values.map(toSql));
  return await app.db.query<Row>(sql, { type: QueryTypes.SELECT, transaction: tx ?? null });
}

/** Changes rows; answers how many the condition met. */
export async function changeRows(
  { app, tx }: WriteTarget,
  statement: string,
  values: readonly SqlValue[],
): Promise<number> {
  const sql = format(statement, values.map(toSql));
  const [, changed] = await app.db.query(sql, { type: QueryTypes.UPDATE, transaction: tx ?? null });
  return changed;
}

function toSql(value: SqlValue): string | number | boolean | null | (string | number)[] {
  if (value instanceof Date) return sqlMoment(value);
  return typeof value === 'object' && value !== null ? [...value] : value;
}
