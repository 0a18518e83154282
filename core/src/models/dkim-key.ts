import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { idColumn, moment, on, reference, text } from './base.ts';

/** A signing key of a domain under one selector. */
export class DkimKey extends Model<InferAttributes<DkimKey>, InferCreationAttributes<DkimKey>> {
  declare id: CreationOptional<string>;
  declare companyId: string;
  declare domainId: string;
  declare selector: string;
  /** Base64 of the SubjectPublicKeyInfo, the p= of the record. */
  declare publicKey: string;
  /** Sealed PKCS#8 PEM. */
  declare privateKey: string;
  declare isActive: CreationOptional<boolean>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

/** Binds DkimKey to a database. */
export function initDkimKey(sequelize: Sequelize): void {
  DkimKey.init(
    {
      id: idColumn(),
      companyId: reference(),
      domainId: reference(),
      selector: text(63),
      publicKey: { type: DataTypes.TEXT, allowNull: false },
      privateKey: { type: DataTypes.TEXT, allowNull: false },
      isActive: on(),
      createdAt: moment(),
      updatedAt: moment(),
    },
    { sequelize, tableName: 'dkim_keys', underscored: true },
  );
}
