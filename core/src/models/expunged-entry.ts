import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { moment, reference } from './base.ts';

/**
 * A UID that an entry had in a folder before it moved or was deleted, so that a mail program that
 * was away learns of it (QRESYNC, RFC 7162).
 */
export class ExpungedEntry extends Model<InferAttributes<ExpungedEntry>, InferCreationAttributes<ExpungedEntry>> {
  declare folderId: string;
  /** Number of the change within the folder. */
  declare modseq: string;
  declare uid: number;
  declare createdAt: CreationOptional<Date>;
}

/** Binds ExpungedEntry to a database. */
export function initExpungedEntry(sequelize: Sequelize): void {
  ExpungedEntry.init(
    {
      folderId: { ...reference(), primaryKey: true },
      modseq: { ...reference(), primaryKey: true },
      uid: { type: DataTypes.INTEGER.UNSIGNED, allowNull: false, primaryKey: true },
      createdAt: moment(),
    },
    { sequelize, tableName: 'expunged_entries', underscored: true, timestamps: false },
  );
}
