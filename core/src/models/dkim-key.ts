import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { idColumn, moment, on, optionalMoment, reference, text } from './base.ts';

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
  /** When it began to sign; null while it waits for its record in the DNS. */
  declare signsSince: CreationOptional<Date | null>;
  /** When its record could be taken out of the DNS, since a newer key signs; null before. */
  declare retiredAt: CreationOptional<Date | null>;
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
      signsSince: optionalMoment(),
      retiredAt: optionalMoment(),
      createdAt: moment(),
      updatedAt: moment(),
    },
    { sequelize, tableName: 'dkim_keys', underscored: true },
  );
}
