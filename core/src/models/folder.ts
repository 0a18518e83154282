import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { type FolderName, folderNames } from '../contracts/mail-folders.ts';
import { counter, idColumn, optionalMoment, optionalText, reference, wholeNumber } from './base.ts';

/**
 * A folder of one person, with what a mail program needs to keep a copy of it (RFC 9051 2.3.1, RFC
 * 7162). All counters only ever grow. Whatever changes the entries of a folder locks its row first
 * and until the commit, so that the order of the numbers is the order of the commits.
 */
export class Folder extends Model<InferAttributes<Folder>, InferCreationAttributes<Folder>> {
  declare id: CreationOptional<string>;
  declare companyId: string;
  declare userId: string;
  /**
   * What the host uses the folder for (RFC 6154); null for a folder that its owner made. `starred`
   * is a view of the others: it has counts, and no entries or UIDs of its own.
   */
  declare role: FolderName | null;
  /** The name that its owner gave it; null for a folder with a role, and once it is deleted. */
  declare name: CreationOptional<string | null>;
  /** The form in which names are compared; null where `name` is. */
  declare nameKey: CreationOptional<string | null>;
  /** When its owner deleted it; a job moves its mail to the trash (D63). */
  declare removedAt: CreationOptional<Date | null>;
  /** A new value tells a mail program that the UIDs it knows are no longer valid. */
  declare uidValidity: number;
  /** The UID that the next entry gets. */
  declare uidNext: CreationOptional<number>;
  /** The MODSEQ of the latest change to an entry of the folder. */
  declare highestModseq: CreationOptional<string>;
  /** The host has forgotten the UIDs that left the folder up to this MODSEQ. */
  declare forgottenModseq: CreationOptional<string>;
  declare total: CreationOptional<number>;
  declare unread: CreationOptional<number>;
  /** Conversations: its rows of `folder_threads`. */
  declare threads: CreationOptional<number>;
  /**
   * Raw bytes of its messages, even if other people have the same ones. For the folder of drafts,
   * the bytes of their texts, recipients and files.
   */
  declare bytes: CreationOptional<string>;
}

/** Binds Folder to a database. */
export function initFolder(sequelize: Sequelize): void {
  Folder.init(
    {
      id: idColumn(),
      companyId: reference(),
      userId: reference(),
      role: { type: DataTypes.ENUM(...folderNames), allowNull: true },
      name: optionalText(255),
      nameKey: optionalText(255),
      removedAt: optionalMoment(),
      uidValidity: wholeNumber(),
      uidNext: counter(1),
      highestModseq: { type: DataTypes.BIGINT.UNSIGNED, allowNull: false, defaultValue: 1 },
      forgottenModseq: { type: DataTypes.BIGINT.UNSIGNED, allowNull: false, defaultValue: 0 },
      total: counter(),
      unread: counter(),
      threads: counter(),
      bytes: { type: DataTypes.BIGINT.UNSIGNED, allowNull: false, defaultValue: 0 },
    },
    { sequelize, tableName: 'folders', underscored: true, timestamps: false },
  );
}
