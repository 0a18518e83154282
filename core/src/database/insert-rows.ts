import { format } from 'mysql2';
import { QueryTypes, type Sequelize, type Transaction } from 'sequelize';

/** A value of a column; lists and objects are stored as JSON. */
export type ColumnValue = string | number | boolean | Date | null | object;

/** The database to write to, in the transaction if there is one. Every `Ctx` is one. */
export interface WriteTarget {
  app: { db: Sequelize };
  tx?: Transaction;
}

/** Inserts rows of one shape in one statement; answers their ids in their order. */
export async function insertRows(
  { app, tx }: WriteTarget,
  table: string,
  rows: readonly Record<string, ColumnValue>[],
  suffix = '',
): Promise<string[]> {
  const [first] = rows;
  if (first === undefined) throw new Error('No rows to insert');
  const columns = Object.keys(first);
  const places = `(${columns.map(() => '?').join(', ')})`;
  const statement = `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${rows.map(() => places).join(', ')} ${suffix}`;
  const values = rows.flatMap((row) => columns.map((column) => toSql(row[column] ?? null)));
  const [firstId] = await app.db.query(format(statement, values), { type: QueryTypes.INSERT, transaction: tx });
  return rows.length === 1 ? [String(firstId)] : await followingIds({ app, tx }, String(firstId), rows.length);
}

/**
 * One statement takes its ids in one go, with one step between them; a cluster counts in steps of its own, which change with its
 * size.
 */
async function followingIds(target: WriteTarget, firstId: string, count: number): Promise<string[]> {
  const step = await stepOf(target);
  return Array.from({ length: count }, (_, index) => String(BigInt(firstId) + BigInt(index) * step));
}

const steps = new WeakMap<Transaction, bigint>();

async function stepOf({ app, tx }: WriteTarget): Promise<bigint> {
  const known = tx && steps.get(tx);
  if (known !== undefined) return known;
  const [settings] = await app.db.query<{ step: string }>('SELECT @@SESSION.auto_increment_increment AS step', {
    type: QueryTypes.SELECT,
    transaction: tx,
  });
  const step = BigInt(settings?.step ?? 1);
  if (tx) steps.set(tx, step);
  return step;
}

function toSql(value: ColumnValue): string | number | boolean | null {
  if (value instanceof Date) return sqlMoment(value);
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

/** A moment as the columns hold it, UTC with milliseconds; a driver would write a Date in the time zone of the machine. */
export function sqlMoment(moment: Date): string {
  return moment.toISOString().replace('T', ' ').replace('Z', '');
}
