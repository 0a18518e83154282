import {
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { idColumn, moment, reference, text, wholeNumber } from './base.ts';

/** The last answer of a person to an event that they were invited to (D52). */
export class InvitationAnswer extends Model<
  InferAttributes<InvitationAnswer>,
  InferCreationAttributes<InvitationAnswer>
> {
  declare id: CreationOptional<string>;
  declare companyId: string;
  declare userId: string;
  /** Hash of the event's UID, its organiser and, of one date of a repeated event, that date. */
  declare eventKey: string;
  /** The SEQUENCE of the version that was answered. */
  declare sequence: number;
  /** '' before the first answer is committed. */
  declare answer: string;
  declare answeredAt: CreationOptional<Date>;
}

/** Binds InvitationAnswer to a database. */
export function initInvitationAnswer(sequelize: Sequelize): void {
  InvitationAnswer.init(
    {
      id: idColumn(),
      companyId: reference(),
      userId: reference(),
      eventKey: text(64),
      sequence: wholeNumber(),
      answer: text(16),
      answeredAt: moment(),
    },
    { sequelize, tableName: 'invitation_answers', underscored: true, timestamps: false },
  );
}
