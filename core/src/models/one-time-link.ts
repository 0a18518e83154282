import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { idColumn, moment, optionalMoment, reference, text } from './base.ts';

/** A mailed link that does one thing, once. */
export class OneTimeLink extends Model<InferAttributes<OneTimeLink>, InferCreationAttributes<OneTimeLink>> {
  declare id: CreationOptional<string>;
  declare companyId: string;
  declare userId: string;
  declare purpose: 'set_password' | 'confirm_recovery' | 'confirm_forwarding';
  /** SHA-256 of the token in the link. */
  declare tokenHash: string;
  /** The address that it was mailed to; empty for one that the operator was shown. */
  declare address: string;
  declare expiresAt: Date;
  declare usedAt: CreationOptional<Date | null>;
  declare createdAt: CreationOptional<Date>;
}

/** Binds OneTimeLink to a database. */
export function initOneTimeLink(sequelize: Sequelize): void {
  OneTimeLink.init(
    {
      id: idColumn(),
      companyId: reference(),
      userId: reference(),
      purpose: { type: DataTypes.ENUM('set_password', 'confirm_recovery', 'confirm_forwarding'), allowNull: false },
      tokenHash: text(64),
      address: text(254),
      expiresAt: moment(),
      usedAt: optionalMoment(),
      createdAt: moment(),
    },
    { sequelize, tableName: 'one_time_links', underscored: true, updatedAt: false },
  );
}
