import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { idColumn, moment, optionalReference, recordVersion, text, wholeNumber } from './base.ts';

/** A variable that overlays the environment of every process at its start (D55). */
export class EnvironmentVariable extends Model<
  InferAttributes<EnvironmentVariable>,
  InferCreationAttributes<EnvironmentVariable>
> {
  declare id: CreationOptional<string>;
  declare name: string;
  declare sealedValue: string;
  /** The revision of the list that this value came with. */
  declare revision: number;
  declare changedBy: string | null;
  declare version: CreationOptional<number>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

/** Binds EnvironmentVariable to a database. */
export function initEnvironmentVariable(sequelize: Sequelize): void {
  EnvironmentVariable.init(
    {
      id: idColumn(),
      name: text(100),
      sealedValue: { type: DataTypes.TEXT, allowNull: false },
      revision: wholeNumber(),
      changedBy: optionalReference(),
      version: recordVersion(),
      createdAt: moment(),
      updatedAt: moment(),
    },
    { sequelize, tableName: 'environment_variables', underscored: true },
  );
}
