import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type ModelStatic,
  type Sequelize,
  type Transaction,
} from 'sequelize';
import { moment } from './base.ts';

/** The company id of the rows that count all companies of the host. */
export const allCompanies = '0';

/**
 * How many people and clients were added within 15 minutes, and are not deleted. A day of any time
 * zone is made of whole slots.
 */
export class GrowthSlot extends Model<InferAttributes<GrowthSlot>, InferCreationAttributes<GrowthSlot>> {
  /** `allCompanies` for the sum of all. */
  declare companyId: string;
  /** When the slot begins. */
  declare slotAt: Date;
  declare users: number;
  declare clients: number;
}

/** Binds GrowthSlot to a database. */
export function initGrowthSlot(sequelize: Sequelize): void {
  const count = () => ({ type: DataTypes.INTEGER, allowNull: false, defaultValue: 0 });
  GrowthSlot.init(
    {
      companyId: { type: DataTypes.BIGINT.UNSIGNED, allowNull: false, primaryKey: true },
      slotAt: { ...moment(), primaryKey: true },
      users: count(),
      clients: count(),
    },
    { sequelize, tableName: 'growth_slots', underscored: true, timestamps: false },
  );
}

/** A record that is counted when it is added, and not while it is deleted. */
type Counted = Model & { companyId: string; createdAt: Date; deletedAt?: Date | null };
type Column = 'users' | 'clients';

/**
 * Keeps a column of the slots up to date when a single record of the model is added, deleted or
 * restored. A change of many rows at once counts with `individualHooks`, or by `countAdded`.
 */
export function keepGrowth(model: ModelStatic<Counted>, column: Column): void {
  model.addHook('afterCreate', async (record, { transaction }) => {
    if (!(record as Counted).deletedAt) await countAdded([record as Counted], column, transaction);
  });
  model.addHook('beforeUpdate', async (record, { transaction }) => {
    const wasDeleted = Boolean((record as Counted).previous('deletedAt'));
    const isDeleted = Boolean((record as Counted).deletedAt);
    if (wasDeleted !== isDeleted) await count(record as Counted, column, isDeleted ? -1 : 1, transaction);
  });
}

/**
 * Takes the people and clients of a company out of the sum of all when it is deleted, and puts them
 * back when it is restored. Its own slots stay as they are.
 */
export function keepGrowthOfAll(company: ModelStatic<Model & { id: string; deletedAt: Date | null }>): void {
  company.addHook('beforeUpdate', async (record, { transaction = null }) => {
    const { id, deletedAt } = record as Model & { id: string; deletedAt: Date | null };
    if (Boolean(record.previous('deletedAt' as never)) === Boolean(deletedAt)) return;
    const sign = deletedAt ? -1 : 1;
    // All other calls that count in this company wait for this lock, see `isCountedInAll`
    await run('SELECT id FROM companies WHERE id = ? FOR UPDATE', [id], transaction);
    await run(
      `INSERT INTO growth_slots (company_id, slot_at, users, clients)
       SELECT ?, own.slot_at, ? * own.users, ? * own.clients FROM growth_slots own WHERE own.company_id = ?
       ON DUPLICATE KEY UPDATE users = growth_slots.users + VALUES(users), clients = growth_slots.clients + VALUES(clients)`,
      [allCompanies, sign, sign, id],
      transaction,
    );
  });
}

/** Counts records that were added, with one INSERT for each company and slot. */
export async function countAdded(
  records: readonly Pick<Counted, 'companyId' | 'createdAt'>[],
  column: Column,
  transaction: Transaction | null | undefined,
): Promise<void> {
  const slots = Map.groupBy(records, ({ companyId, createdAt }) => `${companyId} ${slotOf(createdAt).getTime()}`);
  for (const [first, ...others] of slots.values()) {
    if (first) await count(first, column, 1 + others.length, transaction);
  }
}

const slotMs = 15 * 60_000;

function slotOf(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / slotMs) * slotMs);
}

async function count(
  { companyId, createdAt }: Pick<Counted, 'companyId' | 'createdAt'>,
  column: Column,
  change: number,
  transaction: Transaction | null | undefined,
): Promise<void> {
  const counted = (await isCountedInAll(companyId, transaction)) ? [companyId, allCompanies] : [companyId];
  await run(
    `INSERT INTO growth_slots (company_id, slot_at, ${column}) VALUES ${counted.map(() => '(?, ?, ?)').join(', ')}
     ON DUPLICATE KEY UPDATE ${column} = ${column} + VALUES(${column})`,
    counted.flatMap((id) => [id, slotOf(createdAt), change]),
    transaction,
  );
}

/**
 * Whether a company counts in the sum of all. It locks the company's row, which then stays as it is
 * until the transaction ends.
 */
async function isCountedInAll(companyId: string, transaction: Transaction | null | undefined): Promise<boolean> {
  const statement = 'SELECT id FROM companies WHERE id = ? AND deleted_at IS NULL LOCK IN SHARE MODE';
  return (await run(statement, [companyId], transaction)).length > 0;
}

async function run(
  statement: string,
  replacements: (string | number | Date)[],
  transaction: Transaction | null | undefined,
): Promise<unknown[]> {
  const answer = await GrowthSlot.sequelize?.query(statement, { replacements, transaction: transaction ?? null });
  return answer?.[0] ?? [];
}
