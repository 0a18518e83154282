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
  optionalBytes,
  optionalCount,
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
  /** Most people that are not deleted; null for any number. */
  declare maxUsers: CreationOptional<number | null>;
  /** Most domains that are not deleted; null for any number. */
  declare maxDomains: CreationOptional<number | null>;
  /** Most bytes in all of its mailboxes together; null for any number. */
  declare storageLimit: CreationOptional<string | null>;
  /**
   * Most bytes in the mailbox of each person without a limit of their own; null for the default of
   * the host.
   */
  declare mailboxLimit: CreationOptional<string | null>;
  declare deletedAt: CreationOptional<Date | null>;
  /**
   * When its permanent deletion was asked for. From then on no call finds it, and a job removes its
   * rows.
   */
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
      maxUsers: optionalCount(),
      maxDomains: optionalCount(),
      storageLimit: optionalBytes(),
      mailboxLimit: optionalBytes(),
      deletedAt: optionalMoment(),
      erasedAt: optionalMoment(),
      createdAt: moment(),
      updatedAt: moment(),
    },
    { sequelize, tableName: 'companies', underscored: true },
  );
}
