import { QueryTypes } from 'sequelize';
import type { Ctx } from '../runtime/context.ts';

/** A value of a column; lists and objects are stored as JSON. */
export type ColumnValue = string | number | boolean | Date | null | object;

/**
 * Inserts rows of one shape in one statement; answers the id of the first. The ids of the others must be read back:
 * a cluster may count in steps.
 */
export async function insertRows(
  ctx: Ctx,
  table: string,
  rows: readonly Record<string, ColumnValue>[],
  suffix = '',
): Promise<string> {
  const [first] = rows;
  if (first === undefined) throw new Error('No rows to insert');
  const columns = Object.keys(first);
  const places = `(${columns.map(() => '?').join(', ')})`;
  const [firstId] = await ctx.app.db.query(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${rows.map(() => places).join(', ')} ${suffix}`,
    {
      replacements: rows.flatMap((row) => columns.map((column) => toSql(row[column] ?? null))),
      type: QueryTypes.INSERT,
      transaction: ctx.tx,
    },
  );
  return String(firstId);
}

function toSql(value: ColumnValue): string | number | boolean | null {
  // Sequelize writes a Date among replacements without its milliseconds
  if (value instanceof Date) return value.toISOString().replace('T', ' ').replace('Z', '');
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}
