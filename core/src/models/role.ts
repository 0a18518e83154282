import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type NonAttribute,
  type Sequelize,
} from 'sequelize';
import type { Company } from './company.ts';
import { idColumn, moment, on, optionalMoment, recordVersion, reference, text, wholeNumber } from './base.ts';

/** A named set of permissions of one company (D3). */
export class Role extends Model<InferAttributes<Role>, InferCreationAttributes<Role>> {
  declare id: CreationOptional<string>;
  declare companyId: string;
  /** Number within the company; 0, 1 and 2 are built in. */
  declare roleId: number;
  declare roleName: string;
  declare activeStatus: CreationOptional<boolean>;
  /** Since when its people need a second factor; null while they need none. */
  declare twoFactorSince: CreationOptional<Date | null>;
  /** Days after `twoFactorSince` in which they may go on without one. */
  declare twoFactorGraceDays: CreationOptional<number>;
  /** Raised by each change that a form makes of the record. */
  declare version: CreationOptional<number>;
  declare deletedAt: CreationOptional<Date | null>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
  /** Only where a query includes it. */
  declare company?: NonAttribute<Company>;
}

/** Binds Role to a database. */
export function initRole(sequelize: Sequelize): void {
  Role.init(
    {
      id: idColumn(),
      companyId: reference(),
      roleId: wholeNumber(),
      roleName: text(100),
      activeStatus: on(),
      twoFactorSince: optionalMoment(),
      twoFactorGraceDays: { type: DataTypes.SMALLINT.UNSIGNED, allowNull: false, defaultValue: 0 },
      version: recordVersion(),
      deletedAt: optionalMoment(),
      createdAt: moment(),
      updatedAt: moment(),
    },
    { sequelize, tableName: 'roles', underscored: true },
  );
}
