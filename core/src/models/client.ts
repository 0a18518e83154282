import {
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type NonAttribute,
  type Sequelize,
} from 'sequelize';
import type { Company } from './company.ts';
import { idColumn, moment, off, on, optionalMoment, optionalText, recordVersion, reference, text } from './base.ts';

/** A customer of the provider; its creation provisions a company (D6). */
export class Client extends Model<InferAttributes<Client>, InferCreationAttributes<Client>> {
  declare id: CreationOptional<string>;
  declare companyId: string;
  /** Only where a query includes it. */
  declare company?: NonAttribute<Company>;
  declare fname: string;
  declare lname: CreationOptional<string | null>;
  declare phoneNumber: CreationOptional<string | null>;
  declare country: CreationOptional<string | null>;
  declare personalEmail: string;
  declare businessEmail: string;
  declare isDefault: CreationOptional<boolean>;
  declare activeStatus: CreationOptional<boolean>;
  /** Raised by each change that a form makes of the record. */
  declare version: CreationOptional<number>;
  declare deletedAt: CreationOptional<Date | null>;
  /**
   * When its permanent deletion was asked for. From then on no call finds it, and a job removes its
   * rows.
   */
  declare erasedAt: CreationOptional<Date | null>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

/** Binds Client to a database. */
export function initClient(sequelize: Sequelize): void {
  Client.init(
    {
      id: idColumn(),
      companyId: reference(),
      fname: text(100),
      lname: optionalText(100),
      phoneNumber: optionalText(20),
      country: optionalText(100),
      personalEmail: text(254),
      businessEmail: text(254),
      isDefault: off(),
      activeStatus: on(),
      version: recordVersion(),
      deletedAt: optionalMoment(),
      erasedAt: optionalMoment(),
      createdAt: moment(),
      updatedAt: moment(),
    },
    { sequelize, tableName: 'clients', underscored: true },
  );
}
