import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { idColumn, moment, off, optionalMoment, optionalText, reference, text } from './base.ts';

/** Folder of an entry, derived from its flags by `folderOf` in mailstore. */
export type EntryFolder = 'inbox' | 'sent' | 'archive' | 'trash' | 'gone';

/** One person's copy of a message with their own flags (D17, D18). */
export class MailboxEntry extends Model<InferAttributes<MailboxEntry>, InferCreationAttributes<MailboxEntry>> {
  declare id: CreationOptional<string>;
  declare companyId: string;
  declare userId: string;
  declare messageId: string;
  /** Derived from the flags; the indexes of the folder pages begin with it. */
  declare folder: EntryFolder;
  declare readStatus: CreationOptional<boolean>;
  declare starStatus: CreationOptional<boolean>;
  declare archiveStatus: CreationOptional<boolean>;
  declare trashStatus: CreationOptional<boolean>;
  declare deleteStatus: CreationOptional<boolean>;
  declare sendStatus: CreationOptional<boolean>;
  declare receivedStatus: CreationOptional<boolean>;
  /** Blind recipients; only on the sender's own copy. */
  declare bccList: string[] | null;
  declare threadKey: string;
  /** Worst state among the recipients of a sent message. */
  declare deliveryState: CreationOptional<string | null>;
  declare undoUntil: CreationOptional<Date | null>;
  declare arrivedAt: Date;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

/** Binds MailboxEntry to a database. */
export function initMailboxEntry(sequelize: Sequelize): void {
  MailboxEntry.init(
    {
      id: idColumn(),
      companyId: reference(),
      userId: reference(),
      messageId: reference(),
      folder: { type: DataTypes.ENUM('inbox', 'sent', 'archive', 'trash', 'gone'), allowNull: false },
      readStatus: off(),
      starStatus: off(),
      archiveStatus: off(),
      trashStatus: off(),
      deleteStatus: off(),
      sendStatus: off(),
      receivedStatus: off(),
      bccList: { type: DataTypes.JSON, allowNull: true },
      threadKey: text(64),
      deliveryState: optionalText(16),
      undoUntil: optionalMoment(),
      arrivedAt: moment(),
      createdAt: moment(),
      updatedAt: moment(),
    },
    { sequelize, tableName: 'mailbox_entries', underscored: true },
  );
}
