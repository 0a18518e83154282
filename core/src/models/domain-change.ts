import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { type ChangeKind, changeKinds, type ChangePart, changeParts } from '../contracts/domain-guard.ts';
import { idColumn, moment, reference } from './base.ts';

/** Something that the guardian noticed about a domain: an entry of the domain's history. */
export class DomainChange extends Model<InferAttributes<DomainChange>, InferCreationAttributes<DomainChange>> {
  declare id: CreationOptional<string>;
  declare companyId: string;
  declare domainId: string;
  declare part: ChangePart;
  declare kind: ChangeKind;
  /** Records one per line; null where there were none. */
  declare beforeText: string | null;
  /** Records one per line, or a sentence that says what is wrong. */
  declare afterText: string | null;
  declare createdAt: CreationOptional<Date>;
}

/** Binds DomainChange to a database. */
export function initDomainChange(sequelize: Sequelize): void {
  DomainChange.init(
    {
      id: idColumn(),
      companyId: reference(),
      domainId: reference(),
      part: { type: DataTypes.ENUM(...changeParts), allowNull: false },
      kind: { type: DataTypes.ENUM(...changeKinds), allowNull: false },
      beforeText: { type: DataTypes.TEXT, allowNull: true },
      afterText: { type: DataTypes.TEXT, allowNull: true },
      createdAt: moment(),
    },
    { sequelize, tableName: 'domain_changes', underscored: true, updatedAt: false },
  );
}
