import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { idColumn, moment, off, optionalMoment, optionalReference, optionalText, reference, text } from './base.ts';

const entryFolders = [
  'inbox',
  'sent',
  'archive',
  'junk',
  'trash',
  'draft',
  'scheduled',
  'snoozed',
  'gone',
  'own',
] as const;

/**
 * Folder of an entry, derived from its flags by `folderOf` in mailstore. `own`: see `ownFolderId`.
 */
export type EntryFolder = (typeof entryFolders)[number];

/** What the host did with a message for one person when it came (D46). */
export interface Placement {
  by: 'dmarc' | 'blocked' | 'filter';
  /** A domain, an address or the names of filters. */
  name: string;
  /** Where it went, `own` for a folder that the person made; null where it stayed in the inbox. */
  folder: 'archive' | 'junk' | 'trash' | 'own' | null;
}

/** One person's copy of a message with their own flags (D17, D18). */
export class MailboxEntry extends Model<InferAttributes<MailboxEntry>, InferCreationAttributes<MailboxEntry>> {
  declare id: CreationOptional<string>;
  declare companyId: string;
  declare userId: string;
  declare messageId: string;
  /** Derived from the flags: the role of the folder it is in, `own` or `gone`. */
  declare folder: EntryFolder;
  /** The row of that folder; null when the entry is `gone`. */
  declare folderId: string | null;
  /** Names the entry in its folder (RFC 9051 2.3.1.1). An entry that moves gets another one. */
  declare uid: number | null;
  /** Number of the latest change to its flags within its folder (RFC 7162). */
  declare modseq: CreationOptional<string>;
  declare readStatus: CreationOptional<boolean>;
  declare starStatus: CreationOptional<boolean>;
  declare archiveStatus: CreationOptional<boolean>;
  declare trashStatus: CreationOptional<boolean>;
  declare deleteStatus: CreationOptional<boolean>;
  /** In Junk, unless it is in the trash (D46). */
  declare junkStatus: CreationOptional<boolean>;
  declare sendStatus: CreationOptional<boolean>;
  declare receivedStatus: CreationOptional<boolean>;
  /** Its owner is still writing it. */
  declare draftStatus: CreationOptional<boolean>;
  /** It waits for the time at which its owner wants it sent (D48). */
  declare scheduledStatus: CreationOptional<boolean>;
  /** It comes back into the inbox at a time that its owner chose (D61). */
  declare snoozedStatus: CreationOptional<boolean>;
  /**
   * The folder, made by its owner, that the entry is in. While the entry is archived, in Junk or in
   * the trash, this is the folder to which it goes back (D63).
   */
  declare ownFolderId: CreationOptional<string | null>;
  declare answeredStatus: CreationOptional<boolean>;
  declare forwardedStatus: CreationOptional<boolean>;
  /** Further flags that a mail program gave it (RFC 9051 2.3.2), `$Junk` for example. */
  declare keywords: CreationOptional<string[] | null>;
  /** Why it is not simply in the inbox; null for most. */
  declare placement: CreationOptional<Placement | null>;
  /** Blind recipients; only on the sender's own copy. */
  declare bccList: string[] | null;
  declare threadKey: string;
  /** Worst state among the recipients of a sent message. */
  declare deliveryState: CreationOptional<string | null>;
  /** Until when its owner can take it back; for a scheduled message, this is when it is sent. */
  declare undoUntil: CreationOptional<Date | null>;
  /** Its place in its folder: when it came into the mailbox, or came back into the inbox. */
  declare arrivedAt: Date;
  /** When it first came, if it has come back since; null for most. */
  declare firstArrivedAt: CreationOptional<Date | null>;
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
      folder: {
        type: DataTypes.ENUM(...entryFolders),
        allowNull: false,
      },
      folderId: optionalReference(),
      uid: { type: DataTypes.INTEGER.UNSIGNED, allowNull: true },
      modseq: { type: DataTypes.BIGINT.UNSIGNED, allowNull: false, defaultValue: 1 },
      readStatus: off(),
      starStatus: off(),
      archiveStatus: off(),
      trashStatus: off(),
      deleteStatus: off(),
      junkStatus: off(),
      sendStatus: off(),
      receivedStatus: off(),
      draftStatus: off(),
      scheduledStatus: off(),
      snoozedStatus: off(),
      ownFolderId: optionalReference(),
      answeredStatus: off(),
      forwardedStatus: off(),
      keywords: { type: DataTypes.JSON, allowNull: true },
      placement: { type: DataTypes.JSON, allowNull: true },
      bccList: { type: DataTypes.JSON, allowNull: true },
      threadKey: text(64),
      deliveryState: optionalText(16),
      undoUntil: optionalMoment(),
      arrivedAt: moment(),
      firstArrivedAt: optionalMoment(),
      createdAt: moment(),
      updatedAt: moment(),
    },
    { sequelize, tableName: 'mailbox_entries', underscored: true },
  );
}
