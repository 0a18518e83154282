import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { idColumn, moment, off, optionalText, recordVersion, reference, text } from './base.ts';

/** What the host answers for a person who is away (D47). */
export class Vacation extends Model<InferAttributes<Vacation>, InferCreationAttributes<Vacation>> {
  declare id: CreationOptional<string>;
  declare companyId: string;
  declare userId: string;
  declare isOn: CreationOptional<boolean>;
  /** If empty, the answer has the subject of the message, after `Auto: `. */
  declare subject: string;
  declare body: string;
  /** `2026-12-24`, in the person's time zone; null for no beginning. */
  declare firstDay: string | null;
  /** Null for no end. */
  declare lastDay: string | null;
  /** IANA name. */
  declare timeZone: string;
  /** Whether only people of the company and those written to before get an answer (D68). */
  declare onlyKnown: CreationOptional<boolean>;
  /** Raised by each change. */
  declare version: CreationOptional<number>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

/** Binds Vacation to a database. */
export function initVacation(sequelize: Sequelize): void {
  Vacation.init(
    {
      id: idColumn(),
      companyId: reference(),
      userId: reference(),
      isOn: off(),
      subject: text(200),
      body: { type: DataTypes.TEXT, allowNull: false },
      firstDay: optionalText(10),
      lastDay: optionalText(10),
      timeZone: text(64),
      onlyKnown: off(),
      version: recordVersion(),
      createdAt: moment(),
      updatedAt: moment(),
    },
    { sequelize, tableName: 'vacations', underscored: true },
  );
}
