import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { idColumn, moment, optionalMoment, optionalText, text } from './base.ts';

/** A job that was committed together with the change that caused it. */
export class OutboxRow extends Model<InferAttributes<OutboxRow>, InferCreationAttributes<OutboxRow>> {
  declare id: CreationOptional<string>;
  declare jobName: string;
  declare payload: object;
  declare dedupeId: string;
  /** Id of the request, the mail or the job that caused it. */
  declare causeId: CreationOptional<string | null>;
  declare availableAt: Date;
  declare relayedAt: CreationOptional<Date | null>;
  declare createdAt: CreationOptional<Date>;
}

/** Binds OutboxRow to a database. */
export function initOutboxRow(sequelize: Sequelize): void {
  OutboxRow.init(
    {
      id: idColumn(),
      jobName: text(64),
      payload: { type: DataTypes.JSON, allowNull: false },
      dedupeId: text(128),
      causeId: optionalText(64),
      availableAt: moment(),
      relayedAt: optionalMoment(),
      createdAt: moment(),
    },
    { sequelize, tableName: 'outbox', underscored: true, timestamps: false },
  );
}
