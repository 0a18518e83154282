import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { counter, idColumn, moment, optionalMoment, optionalReference, reference, text } from './base.ts';

/** A row stays as `removed` to record that there was a copy, for as long as its owner exists. */
export type MailCopyState = 'copying' | 'ready' | 'removing' | 'removed';

/**
 * A copy of a person's mail, which another person reads. The screens call it a backup (D24). The
 * code calls it a copy, since a backup is one of the whole host here.
 */
export class MailCopy extends Model<InferAttributes<MailCopy>, InferCreationAttributes<MailCopy>> {
  declare id: CreationOptional<string>;
  /** The company of the owner when the copy was given. It is the company's storage. */
  declare companyId: string;
  /** The person whose mail it is; null once they are permanently deleted. */
  declare ownerId: string | null;
  declare ownerEmail: string;
  declare ownerName: string;
  /** The person who reads it; null once they are permanently deleted. */
  declare viewerId: string | null;
  declare viewerEmail: string;
  declare viewerName: string;
  /** Name of the person who gave the copy. */
  declare giverName: string;
  declare state: MailCopyState;
  /** How many messages there were when the copying began; only used to show the progress. */
  declare total: CreationOptional<number>;
  declare copied: CreationOptional<number>;
  declare receivedCount: CreationOptional<number>;
  declare sentCount: CreationOptional<number>;
  /** Raw bytes of its messages. */
  declare bytes: CreationOptional<string>;
  /** The UID up to which each folder of the owner is copied, by the folder's id. */
  declare cursors: Record<string, number>;
  declare finishedAt: CreationOptional<Date | null>;
  /** When the viewer last opened it; counted once a day. */
  declare openedAt: CreationOptional<Date | null>;
  declare deletedAt: CreationOptional<Date | null>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

/** Binds MailCopy to a database. */
export function initMailCopy(sequelize: Sequelize): void {
  MailCopy.init(
    {
      id: idColumn(),
      companyId: reference(),
      ownerId: optionalReference(),
      ownerEmail: text(254),
      ownerName: text(255),
      viewerId: optionalReference(),
      viewerEmail: text(254),
      viewerName: text(255),
      giverName: text(255),
      state: text(16),
      total: counter(),
      copied: counter(),
      receivedCount: counter(),
      sentCount: counter(),
      bytes: { type: DataTypes.BIGINT.UNSIGNED, allowNull: false, defaultValue: 0 },
      cursors: { type: DataTypes.JSON, allowNull: false },
      finishedAt: optionalMoment(),
      openedAt: optionalMoment(),
      deletedAt: optionalMoment(),
      createdAt: moment(),
      updatedAt: moment(),
    },
    { sequelize, tableName: 'mail_copies', underscored: true },
  );
}
