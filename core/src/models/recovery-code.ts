import {
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { idColumn, moment, optionalMoment, reference, text } from './base.ts';

/** One of the codes that take the place of a lost second factor. Each works once. */
export class RecoveryCode extends Model<InferAttributes<RecoveryCode>, InferCreationAttributes<RecoveryCode>> {
  declare id: CreationOptional<string>;
  declare companyId: string;
  declare userId: string;
  /** Keyed hash of the code. */
  declare codeHash: string;
  declare usedAt: CreationOptional<Date | null>;
  declare createdAt: CreationOptional<Date>;
}

/** Binds RecoveryCode to a database. */
export function initRecoveryCode(sequelize: Sequelize): void {
  RecoveryCode.init(
    {
      id: idColumn(),
      companyId: reference(),
      userId: reference(),
      codeHash: text(64),
      usedAt: optionalMoment(),
      createdAt: moment(),
    },
    { sequelize, tableName: 'recovery_codes', underscored: true, updatedAt: false },
  );
}
