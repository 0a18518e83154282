import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { idColumn, moment, recordVersion, reference, text } from './base.ts';

/** A text that a person puts under their mail. */
export class Signature extends Model<InferAttributes<Signature>, InferCreationAttributes<Signature>> {
  declare id: CreationOptional<string>;
  declare companyId: string;
  declare userId: string;
  declare signatureName: string;
  /** The form in which names are compared: without regard to case. */
  declare nameKey: string;
  /** Sanitised HTML. */
  declare signatureBody: string;
  /** Raised by each change. */
  declare version: CreationOptional<number>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

/** Binds Signature to a database. */
export function initSignature(sequelize: Sequelize): void {
  Signature.init(
    {
      id: idColumn(),
      companyId: reference(),
      userId: reference(),
      signatureName: text(100),
      nameKey: text(255),
      signatureBody: { type: DataTypes.TEXT('medium'), allowNull: false },
      version: recordVersion(),
      createdAt: moment(),
      updatedAt: moment(),
    },
    { sequelize, tableName: 'signatures', underscored: true },
  );
}
