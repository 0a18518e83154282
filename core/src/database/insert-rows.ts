import { format } from 'mysql2';
import {
  type CreationAttributes,
  type Model,
  type ModelStatic,
  QueryTypes,
  type Sequelize,
  type Transaction,
} from 'sequelize';

/** The database to write to, in the transaction if there is one. Every `Ctx` is one. */
export interface WriteTarget {
  app: { db: Sequelize };
  tx?: Transaction;
}

/**
 * Inserts rows of a model in one statement; answers their ids in their order. All rows name the
 * same attributes. An attribute that they leave out gets the column's default. The moments of
 * creation and update are set to now.
 */
export async function insertRows<M extends Model>(
  { app, tx }: WriteTarget,
  model: ModelStatic<M>,
  rows: readonly CreationAttributes<M>[],
  suffix = '',
): Promise<string[]> {
  const [first] = rows;
  if (first === undefined) throw new Error('No rows to insert');
  const moments = momentsOf(model);
  const names = Object.keys({ ...moments, ...first });
  const columns = names.map((name) => columnOf(model, name)).join(', ');
  const places = rows.map(() => `(${names.map(() => '?').join(', ')})`).join(', ');
  const values = rows.flatMap((row) => {
    const record: Record<string, unknown> = { ...moments, ...row };
    return names.map((name) => toSql(record[name]));
  });
  const statement = format(`INSERT INTO ${model.tableName} (${columns}) VALUES ${places} ${suffix}`, values);
  const [firstId] = await app.db.query(statement, { type: QueryTypes.INSERT, transaction: tx });
  return rows.length === 1 ? [String(firstId)] : await followingIds({ app, tx }, String(firstId), rows.length);
}

/** The moments that Sequelize would write by itself. */
function momentsOf({ options }: ModelStatic<Model>): Record<string, Date> {
  const now = new Date();
  if (options.timestamps === false) return {};
  return options.updatedAt === false ? { createdAt: now } : { createdAt: now, updatedAt: now };
}

function columnOf(model: ModelStatic<Model>, name: string): string {
  const column = model.getAttributes()[name]?.field;
  if (column === undefined) throw new Error(`${model.name} has no attribute ${name}`);
  return column;
}

/**
 * The engine gives the rows of one statement ids at equal steps. In a cluster the step depends on
 * its size.
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
  return moment.toISOString().replace('T', ' ').replace('Z', '');
}
