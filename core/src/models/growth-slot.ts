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

/**
 * Keeps a column of the slots true when a record of the model is added, deleted or restored by
 * itself. A change of many rows at once counts with `individualHooks`, or not at all.
 */
export function keepGrowth(model: ModelStatic<Counted>, column: 'users' | 'clients'): void {
  model.addHook('afterCreate', async (record, { transaction }) => {
    if (!(record as Counted).deletedAt) await count(record as Counted, column, 1, transaction);
  });
  model.addHook('beforeUpdate', async (record, { transaction }) => {
    const wasDeleted = Boolean((record as Counted).previous('deletedAt'));
    const isDeleted = Boolean((record as Counted).deletedAt);
    if (wasDeleted !== isDeleted) await count(record as Counted, column, isDeleted ? -1 : 1, transaction);
  });
}

const slotMs = 15 * 60_000;

async function count(
  { companyId, createdAt }: Counted,
  column: 'users' | 'clients',
  change: 1 | -1,
  transaction: Transaction | null | undefined,
): Promise<void> {
  const slotAt = new Date(Math.floor(createdAt.getTime() / slotMs) * slotMs);
  await GrowthSlot.sequelize?.query(
    `INSERT INTO growth_slots (company_id, slot_at, ${column}) VALUES (?, ?, ?), (?, ?, ?)
     ON DUPLICATE KEY UPDATE ${column} = ${column} + VALUES(${column})`,
    { replacements: [allCompanies, slotAt, change, companyId, slotAt, change], transaction: transaction ?? null },
  );
}
