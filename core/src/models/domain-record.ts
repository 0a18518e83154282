import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import type { DomainRecordDto } from '../contracts/domains.ts';
import { recordTypes } from '../contracts/domains.ts';
import { idColumn, moment, reference, text, wholeNumber } from './base.ts';

/** A DNS record that a company notes for its domain. What the DNS really says may differ. */
export class DomainRecord extends Model<InferAttributes<DomainRecord>, InferCreationAttributes<DomainRecord>> {
  declare id: CreationOptional<string>;
  declare companyId: string;
  declare domainId: string;
  /** What people call it. */
  declare recordName: string;
  declare type: DomainRecordDto['type'];
  /** Relative to the domain, lower case; `@` for the domain itself. */
  declare name: string;
  declare priority: number;
  declare content: string;
  /** Seconds. */
  declare ttl: number;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

/** Binds DomainRecord to a database. */
export function initDomainRecord(sequelize: Sequelize): void {
  DomainRecord.init(
    {
      id: idColumn(),
      companyId: reference(),
      domainId: reference(),
      recordName: text(100),
      type: { type: DataTypes.ENUM(...recordTypes), allowNull: false },
      name: text(253),
      priority: { type: DataTypes.SMALLINT.UNSIGNED, allowNull: false, defaultValue: 0 },
      content: { type: DataTypes.TEXT, allowNull: false },
      ttl: wholeNumber(),
      createdAt: moment(),
      updatedAt: moment(),
    },
    { sequelize, tableName: 'domain_records', underscored: true },
  );
}
