import {
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { idColumn, moment, reference, text } from './base.ts';

/** A sender whose mail a person finds in Junk (D46). */
export class BlockedSender extends Model<InferAttributes<BlockedSender>, InferCreationAttributes<BlockedSender>> {
  declare id: CreationOptional<string>;
  declare companyId: string;
  declare userId: string;
  /** An address, or a domain with all below it, in lower case. */
  declare address: string;
  declare createdAt: CreationOptional<Date>;
}

/** Binds BlockedSender to a database. */
export function initBlockedSender(sequelize: Sequelize): void {
  BlockedSender.init(
    { id: idColumn(), companyId: reference(), userId: reference(), address: text(254), createdAt: moment() },
    { sequelize, tableName: 'blocked_senders', underscored: true, updatedAt: false },
  );
}
