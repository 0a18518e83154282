import { type Connection, escape, type ResultSetHeader, type RowDataPacket } from 'mysql2';
import type { CreationAttributes, Model, ModelStatic } from 'sequelize';
import { connectionOf, type DatabaseTarget, runStatement } from './run-statement.ts';

/**
 * Inserts rows of a model in one statement; answers their ids in their order. All rows name the
 * same attributes. An attribute that they leave out gets the column's default. The moments of
 * creation and update are set to now where the rows don't name them.
 */
export async function insertRows<M extends Model>(
  target: DatabaseTarget,
  model: ModelStatic<M>,
  rows: readonly CreationAttributes<M>[],
  suffix = '',
): Promise<string[]> {
  if (hasHooks(model)) throw new Error(`${model.name} has hooks that insertRows would pass over`);
  return await insertHookedRows(target, model, rows, suffix);
}

/** Whether a model has hooks. An INSERT that bypasses Sequelize would not run them. */
function hasHooks({ options }: ModelStatic<Model>): boolean {
  return Object.keys(options.hooks ?? {}).length > 0;
}

/** As `insertRows`, for a model with hooks. They don't run, so the caller must do their work. */
export async function insertHookedRows<M extends Model>(
  target: DatabaseTarget,
  model: ModelStatic<M>,
  rows: readonly CreationAttributes<M>[],
  suffix = '',
): Promise<string[]> {
  const [first] = rows;
  if (first === undefined) throw new Error('No rows to insert');
  const moments = momentsOf(model);
  const names = Object.keys({ ...moments, ...first });
  const columns = names.map((name) => columnOf(model, name)).join(', ');
  const tuples = rows.map((row) => {
    const record: Record<string, unknown> = { ...moments, ...row };
    return `(${names.map((name) => escape(toSql(record[name]))).join(', ')})`;
  });
  const statement = `INSERT INTO ${model.tableName} (${columns}) VALUES ${tuples.join(', ')} ${suffix}`;
  const { insertId } = await runStatement<ResultSetHeader>(target, statement);
  return rows.length === 1 ? [String(insertId)] : await followingIds(target, String(insertId), rows.length);
}

/** The timestamps that Sequelize would set by itself. */
function momentsOf({ options }: ModelStatic<Model>): Record<string, string> {
  const now = sqlMoment(new Date());
  if (options.timestamps === false) return {};
  return options.updatedAt === false ? { createdAt: now } : { createdAt: now, updatedAt: now };
}

function columnOf(model: ModelStatic<Model>, name: string): string {
  const column = model.getAttributes()[name]?.field;
  if (column === undefined) throw new Error(`${model.name} has no attribute ${name}`);
  return column;
}

/**
 * The database gives the rows of one statement ids with equal steps between them. In a cluster the
 * step depends on the number of nodes.
 */
async function followingIds(target: DatabaseTarget, firstId: string, count: number): Promise<string[]> {
  const step = await stepOf(target);
  return Array.from({ length: count }, (_, index) => String(BigInt(firstId) + BigInt(index) * step));
}

/** The step of each connection: a session setting, which does not change while it is open. */
const steps = new WeakMap<Connection, bigint>();

async function stepOf(target: DatabaseTarget): Promise<bigint> {
  const connection = target.tx && connectionOf(target.tx);
  const known = connection && steps.get(connection);
  if (known !== undefined) return known;
  const [settings] = await runStatement<RowDataPacket[]>(target, 'SELECT @@SESSION.auto_increment_increment AS step');
  const step = BigInt(String(settings?.['step'] ?? 1));
  if (connection) steps.set(connection, step);
  return step;
}

/** Lists and objects are stored as JSON. */
function toSql(value: unknown): string | number | boolean | null {
  if (value === undefined || value === null) return null;
  if (value instanceof Date) return sqlMoment(value);
  return typeof value === 'object' ? JSON.stringify(value) : (value as string | number | boolean);
}

/**
 * A moment as the columns hold it, UTC with milliseconds. The driver would write a Date in the time
 * zone of the machine.
 */
export function sqlMoment(moment: Date): string {
  const text = moment.toISOString();
  return `${text.slice(0, -14)} ${text.slice(-13, -1)}`;
}
