import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { idColumn, moment, off, optionalMoment, optionalReference, reference, text } from './base.ts';

/**
 * The key of one composed message, so that it is sent once however often the call arrives. See
 * core/src/outbound/send-once.ts.
 */
export class IdempotencyKey extends Model<InferAttributes<IdempotencyKey>, InferCreationAttributes<IdempotencyKey>> {
  declare id: CreationOptional<string>;
  declare companyId: string;
  declare userId: string;
  /** As the client chose it; unique for the person. */
  declare idempotencyKey: string;
  /** SHA-256 of what was to be sent. */
  declare fingerprint: string;
  /** Until when the attempt that is under way may commit. */
  declare claimedUntil: Date;
  /** The sender's copy; null until the message is committed. */
  declare entryId: CreationOptional<string | null>;
  /** Until when the message can be taken back, as the first answer said. */
  declare undoUntil: CreationOptional<Date | null>;
  /** For how long it was held, as the first answer said; milliseconds. */
  declare holdMs: CreationOptional<number | null>;
  /** Whether the sender chose a time for the message to be sent. */
  declare isScheduled: CreationOptional<boolean>;
  /** When the sender took the message back. */
  declare undoneAt: CreationOptional<Date | null>;
  declare createdAt: CreationOptional<Date>;
}

/** Binds IdempotencyKey to a database. */
export function initIdempotencyKey(sequelize: Sequelize): void {
  IdempotencyKey.init(
    {
      id: idColumn(),
      companyId: reference(),
      userId: reference(),
      idempotencyKey: text(64),
      fingerprint: text(64),
      claimedUntil: moment(),
      entryId: optionalReference(),
      undoUntil: optionalMoment(),
      holdMs: { type: DataTypes.INTEGER.UNSIGNED, allowNull: true },
      isScheduled: off(),
      undoneAt: optionalMoment(),
      createdAt: moment(),
    },
    { sequelize, tableName: 'idempotency_keys', underscored: true, updatedAt: false },
  );
}
