import {
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { idColumn, moment, optionalMoment, optionalText, reference, text, wholeNumber } from './base.ts';

/** One logged-in device of a person (D11). */
export class Session extends Model<InferAttributes<Session>, InferCreationAttributes<Session>> {
  declare id: CreationOptional<string>;
  declare companyId: string;
  declare userId: string;
  /** Public random id of the session. */
  declare sessionKey: string;
  /** SHA-256 of the refresh token in use. */
  declare refreshHash: string;
  /** Hash of the token before it, which is answered again for a moment (D11). */
  declare previousRefreshHash: CreationOptional<string | null>;
  /** When the token before it was exchanged. */
  declare rotatedAt: CreationOptional<Date | null>;
  /**
   * When the person last proved that the session is theirs, other than by a login that an attacker
   * could have relayed (D13).
   */
  declare confirmedAt: CreationOptional<Date | null>;
  declare deviceIp: string;
  declare userAgent: string;
  declare tokenVersion: number;
  declare lastActive: Date;
  declare expiresAt: Date;
  declare endedAt: CreationOptional<Date | null>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

/** Binds Session to a database. */
export function initSession(sequelize: Sequelize): void {
  Session.init(
    {
      id: idColumn(),
      companyId: reference(),
      userId: reference(),
      sessionKey: text(64),
      refreshHash: text(64),
      previousRefreshHash: optionalText(64),
      rotatedAt: optionalMoment(),
      confirmedAt: optionalMoment(),
      deviceIp: text(45),
      userAgent: text(255),
      tokenVersion: wholeNumber(),
      lastActive: moment(),
      expiresAt: moment(),
      endedAt: optionalMoment(),
      createdAt: moment(),
      updatedAt: moment(),
    },
    { sequelize, tableName: 'sessions', underscored: true },
  );
}
