import {
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type NonAttribute,
  type Sequelize,
} from 'sequelize';
import { idColumn, moment, on, recordVersion, reference, text } from './base.ts';
import type { Company } from './company.ts';

/** An address that delivers to several people of a company (D35). */
export class Group extends Model<InferAttributes<Group>, InferCreationAttributes<Group>> {
  declare id: CreationOptional<string>;
  declare companyId: string;
  declare name: string;
  /** The same as in `addresses`, which keeps it unique; it never changes. */
  declare address: string;
  declare activeStatus: CreationOptional<boolean>;
  declare version: CreationOptional<number>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
  /** Only where a query includes it. */
  declare company?: NonAttribute<Company>;
}

/** Binds Group to a database. */
export function initGroup(sequelize: Sequelize): void {
  Group.init(
    {
      id: idColumn(),
      companyId: reference(),
      name: text(100),
      address: text(254),
      activeStatus: on(),
      version: recordVersion(),
      createdAt: moment(),
      updatedAt: moment(),
    },
    { sequelize, tableName: 'address_groups', underscored: true },
  );
}
