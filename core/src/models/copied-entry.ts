import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { idColumn, moment, off, reference } from './base.ts';

/**
 * A message in a copy of a mailbox (D54), with the state of its owner's entry when it was copied.
 * Like an entry, it keeps the message from removal. It never changes.
 */
export class CopiedEntry extends Model<InferAttributes<CopiedEntry>, InferCreationAttributes<CopiedEntry>> {
  declare id: CreationOptional<string>;
  declare copyId: string;
  /** The owner's entry, which may be removed by now. A copy has each entry once. */
  declare entryId: string;
  declare messageId: string;
  declare isSent: boolean;
  declare readStatus: boolean;
  declare junkStatus: boolean;
  /** Blind recipients; only on what the owner sent. */
  declare bccList: string[] | null;
  declare arrivedAt: Date;
}

/** Binds CopiedEntry to a database. */
export function initCopiedEntry(sequelize: Sequelize): void {
  CopiedEntry.init(
    {
      id: idColumn(),
      copyId: reference(),
      entryId: reference(),
      messageId: reference(),
      isSent: off(),
      readStatus: off(),
      junkStatus: off(),
      bccList: { type: DataTypes.JSON, allowNull: true },
      arrivedAt: moment(),
    },
    { sequelize, tableName: 'copied_entries', underscored: true, timestamps: false },
  );
}
