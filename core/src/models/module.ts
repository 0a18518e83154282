import {
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { idColumn, moment, off, text } from './base.ts';

/** A row name of the permission matrix (D5). */
export class Module extends Model<InferAttributes<Module>, InferCreationAttributes<Module>> {
  declare id: CreationOptional<string>;
  declare name: string;
  declare isBuiltIn: CreationOptional<boolean>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

/** Binds Module to a database. */
export function initModule(sequelize: Sequelize): void {
  Module.init(
    {
      id: idColumn(),
      name: text(64),
      isBuiltIn: off(),
      createdAt: moment(),
      updatedAt: moment(),
    },
    { sequelize, tableName: 'modules', underscored: true },
  );
}
