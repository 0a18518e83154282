import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type NonAttribute,
  type Sequelize,
} from 'sequelize';
import { idColumn, moment, on, optionalMoment, optionalReference, recordVersion, reference, text } from './base.ts';
import type { Company } from './company.ts';
import type { DomainHealth } from './domain-health.ts';

/**
 * A mail domain of a company. Any number of companies may have added it, but only one has proved
 * that it is theirs, and no mail flows for the others (D6, D34).
 */
export class Domain extends Model<InferAttributes<Domain>, InferCreationAttributes<Domain>> {
  declare id: CreationOptional<string>;
  declare companyId: string;
  /** Lower-case A-label form. */
  declare domainName: string;
  declare expirationDate: CreationOptional<Date | null>;
  /** The row in `addresses` that takes mail for names that the domain does not have. */
  declare catchAllId: CreationOptional<string | null>;
  /** When it was proved, or vouched for; null before. */
  declare verifiedAt: CreationOptional<Date | null>;
  /**
   * The person of the provider who vouched for it. Null where its DNS proved it, and for the first
   * domain of a company.
   */
  declare vouchedBy: CreationOptional<string | null>;
  /** When the DNS was last checked for its proof. */
  declare proofAskedAt: CreationOptional<Date | null>;
  /** The result of the last check of its DNS, as an index of `healthLevels`. */
  declare health: CreationOptional<number>;
  /** When its DNS was looked at last; null before the first time. */
  declare checkedAt: CreationOptional<Date | null>;
  /** When its DNS is looked at next, once it is proved. */
  declare nextCheckAt: CreationOptional<Date>;
  /** Raised by each change that a form makes. */
  declare version: CreationOptional<number>;
  declare activeStatus: CreationOptional<boolean>;
  declare deletedAt: CreationOptional<Date | null>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
  /** Only where a query includes it. */
  declare company?: NonAttribute<Company>;
  /** Only where a query includes it. */
  declare healthRow?: NonAttribute<DomainHealth | null>;
}

/** Binds Domain to a database. */
export function initDomain(sequelize: Sequelize): void {
  Domain.init(
    {
      id: idColumn(),
      companyId: reference(),
      domainName: text(253),
      expirationDate: optionalMoment(),
      catchAllId: optionalReference(),
      verifiedAt: optionalMoment(),
      vouchedBy: optionalReference(),
      proofAskedAt: optionalMoment(),
      health: { type: DataTypes.TINYINT.UNSIGNED, allowNull: false, defaultValue: 0 },
      checkedAt: optionalMoment(),
      nextCheckAt: { ...moment(), defaultValue: DataTypes.NOW },
      version: recordVersion(),
      activeStatus: on(),
      deletedAt: optionalMoment(),
      createdAt: moment(),
      updatedAt: moment(),
    },
    { sequelize, tableName: 'domains', underscored: true },
  );
}
