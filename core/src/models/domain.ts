import {
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { idColumn, moment, on, optionalMoment, optionalReference, reference, text } from './base.ts';

/** A mail domain of one company; unique on the host (D6). */
export class Domain extends Model<InferAttributes<Domain>, InferCreationAttributes<Domain>> {
  declare id: CreationOptional<string>;
  declare companyId: string;
  /** Lower-case A-label form. */
  declare domainName: string;
  declare expirationDate: CreationOptional<Date | null>;
  /** The row in `addresses` that takes mail for names that the domain does not have. */
  declare catchAllId: CreationOptional<string | null>;
  declare activeStatus: CreationOptional<boolean>;
  declare deletedAt: CreationOptional<Date | null>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
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
      activeStatus: on(),
      deletedAt: optionalMoment(),
      createdAt: moment(),
      updatedAt: moment(),
    },
    { sequelize, tableName: 'domains', underscored: true },
  );
}
