import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import type { DnsProblem } from '../contracts/domain-check.ts';
import type { Facts, Watches } from '../contracts/domain-guard.ts';
import { moment, reference } from './base.ts';

/** What the guardian knew of a domain after its last look. */
export class DomainHealth extends Model<InferAttributes<DomainHealth>, InferCreationAttributes<DomainHealth>> {
  declare domainId: string;
  /** What the DNS said last, part by part. */
  declare facts: Facts;
  declare watches: Watches;
  declare problems: DnsProblem[];
  /** Looks in a row at which no name server answered. */
  declare failures: CreationOptional<number>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

/** Binds DomainHealth to a database. */
export function initDomainHealth(sequelize: Sequelize): void {
  DomainHealth.init(
    {
      domainId: { ...reference(), primaryKey: true },
      facts: { type: DataTypes.JSON, allowNull: false },
      watches: { type: DataTypes.JSON, allowNull: false },
      problems: { type: DataTypes.JSON, allowNull: false },
      failures: { type: DataTypes.SMALLINT.UNSIGNED, allowNull: false, defaultValue: 0 },
      createdAt: moment(),
      updatedAt: moment(),
    },
    { sequelize, tableName: 'domain_health', underscored: true },
  );
}
