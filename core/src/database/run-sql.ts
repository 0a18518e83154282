import { format, type ResultSetHeader, type RowDataPacket } from 'mysql2';
import { sqlMoment } from './insert-rows.ts';
import { type DatabaseTarget, runStatement } from './run-statement.ts';

/** What a place holder stands for. A list fills `IN (?)`. */
export type SqlValue = string | number | boolean | Date | null | readonly (string | number)[];

/*
 * Code that runs for every message uses these functions and not models: building a model instance
 * and its SQL costs several times what the statement costs the database. Each statement names its
 * columns once, and its rows have a type.
 */

/** Reads rows. Moments are dates, and ids are strings. */
export async function readRows<Row extends object>(
  target: DatabaseTarget,
  statement: string,
  values: readonly SqlValue[],
): Promise<Row[]> {
  return await runStatement<(Row & RowDataPacket)[]>(target, format(statement, values.map(toSql)));
}

/** Changes rows and answers how many. A row that already has the new values is not counted. */
export async function changeRows(
  target: DatabaseTarget,
  statement: string,
  values: readonly SqlValue[],
): Promise<number> {
  const { affectedRows } = await runStatement<ResultSetHeader>(target, format(statement, values.map(toSql)));
  return affectedRows;
}

function toSql(value: SqlValue): string | number | boolean | null | (string | number)[] {
  if (value instanceof Date) return sqlMoment(value);
  return typeof value === 'object' && value !== null ? [...value] : value;
}
