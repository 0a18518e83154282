import {
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import {
  idColumn,
  moment,
  off,
  on,
  optionalMoment,
  optionalReference,
  optionalText,
  recordVersion,
  text,
} from './base.ts';

/** A tenant. Each person belongs to one (D1). */
export class Company extends Model<InferAttributes<Company>, InferCreationAttributes<Company>> {
  declare id: CreationOptional<string>;
  declare name: string;
  declare email: string;
  /** The host itself: its people see every tenant (D1). */
  declare isProvider: CreationOptional<boolean>;
  declare industry: CreationOptional<string | null>;
  declare phone: CreationOptional<string | null>;
  declare address: CreationOptional<string | null>;
  declare city: CreationOptional<string | null>;
  declare state: CreationOptional<string | null>;
  declare country: CreationOptional<string | null>;
  declare pinCode: CreationOptional<string | null>;
  declare activeStatus: CreationOptional<boolean>;
  declare createdBy: CreationOptional<string | null>;
  /** Raised by each change that a form makes of the record. */
  declare version: CreationOptional<number>;
  declare deletedAt: CreationOptional<Date | null>;
  /** When its permanent deletion was asked for. No call finds it, and a job removes its rows. */
  declare erasedAt: CreationOptional<Date | null>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

/** Binds Company to a database. */
export function initCompany(sequelize: Sequelize): void {
  Company.init(
    {
      id: idColumn(),
      name: text(255),
      email: text(254),
      isProvider: off(),
      industry: optionalText(100),
      phone: optionalText(20),
      address: optionalText(500),
      city: optionalText(100),
      state: optionalText(100),
      country: optionalText(100),
      pinCode: optionalText(10),
      activeStatus: on(),
      createdBy: optionalReference(),
      version: recordVersion(),
      deletedAt: optionalMoment(),
      erasedAt: optionalMoment(),
      createdAt: moment(),
      updatedAt: moment(),
    },
    { sequelize, tableName: 'companies', underscored: true },
  );
}
