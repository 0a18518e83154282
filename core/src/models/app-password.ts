import {
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { idColumn, moment, optionalMoment, optionalText, reference, text } from './base.ts';

/** A password that one mail program logs in with. It is shown once. */
export class AppPassword extends Model<InferAttributes<AppPassword>, InferCreationAttributes<AppPassword>> {
  declare id: CreationOptional<string>;
  declare companyId: string;
  declare userId: string;
  declare appName: string;
  /** Keyed hash. The password is long and random, so no slower hash is needed. */
  declare passwordHash: string;
  declare lastUsedAt: CreationOptional<Date | null>;
  declare lastUsedAddress: CreationOptional<string | null>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

/** Binds AppPassword to a database. */
export function initAppPassword(sequelize: Sequelize): void {
  AppPassword.init(
    {
      id: idColumn(),
      companyId: reference(),
      userId: reference(),
      appName: text(100),
      passwordHash: text(64),
      lastUsedAt: optionalMoment(),
      lastUsedAddress: optionalText(45),
      createdAt: moment(),
      updatedAt: moment(),
    },
    { sequelize, tableName: 'app_passwords', underscored: true },
  );
}
