import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { idColumn, moment, optionalReference, reference, text } from './base.ts';

/** What an address of the host leads to. */
export type AddressKind = 'mailbox' | 'alias' | 'group';

/**
 * An address of the host. People, aliases and groups have theirs in this one table (D35), so no
 * two of them have the same.
 */
export class Address extends Model<InferAttributes<Address>, InferCreationAttributes<Address>> {
  declare id: CreationOptional<string>;
  declare companyId: string;
  declare domainId: CreationOptional<string | null>;
  /** Normalised; unique on the host. */
  declare address: string;
  declare kind: AddressKind;
  /** The person of a mailbox or an alias. */
  declare userId: CreationOptional<string | null>;
  declare groupId: CreationOptional<string | null>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

/** Binds Address to a database. */
export function initAddress(sequelize: Sequelize): void {
  Address.init(
    {
      id: idColumn(),
      companyId: reference(),
      domainId: optionalReference(),
      address: text(254),
      kind: { type: DataTypes.ENUM('mailbox', 'alias', 'group'), allowNull: false },
      userId: optionalReference(),
      groupId: optionalReference(),
      createdAt: moment(),
      updatedAt: moment(),
    },
    { sequelize, tableName: 'addresses', underscored: true },
  );
}
