import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import type { FilterActions, FilterConditions } from '../contracts/mail-rules.ts';
import { idColumn, moment, on, recordVersion, reference, text, wholeNumber } from './base.ts';

/** What a person wants to happen to mail of a kind when it comes (D46). */
export class MailFilter extends Model<InferAttributes<MailFilter>, InferCreationAttributes<MailFilter>> {
  declare id: CreationOptional<string>;
  declare companyId: string;
  declare userId: string;
  /** Filters work in this order, ascending. */
  declare place: number;
  declare name: string;
  declare isOn: CreationOptional<boolean>;
  declare conditions: FilterConditions;
  declare actions: FilterActions;
  /** Raised by each change. */
  declare version: CreationOptional<number>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

/** Binds MailFilter to a database. */
export function initMailFilter(sequelize: Sequelize): void {
  MailFilter.init(
    {
      id: idColumn(),
      companyId: reference(),
      userId: reference(),
      place: wholeNumber(),
      name: text(100),
      isOn: on(),
      conditions: { type: DataTypes.JSON, allowNull: false },
      actions: { type: DataTypes.JSON, allowNull: false },
      version: recordVersion(),
      createdAt: moment(),
      updatedAt: moment(),
    },
    { sequelize, tableName: 'mail_filters', underscored: true },
  );
}
