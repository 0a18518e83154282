import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { counter, idColumn, moment, off, optionalMoment, optionalText, text, wholeNumber } from './base.ts';

/** A message. It is stored once on the host, whatever number of people have it (D17). */
export class Message extends Model<InferAttributes<Message>, InferCreationAttributes<Message>> {
  declare id: CreationOptional<string>;
  /** Given when the message enters the host. Received, the logs and the ledger name it. */
  declare mailId: string;
  declare blobKey: string;
  /** Bytes of the raw message. */
  declare size: number;
  /** The host's own header lines, kept beside the blob. */
  declare traceHeaders: CreationOptional<string>;
  declare messageIdHeader: CreationOptional<string | null>;
  /** Hash of the first Message-ID of the conversation. */
  declare threadKey: string;
  declare envelopeFrom: string;
  declare fromAddress: CreationOptional<string>;
  declare fromName: CreationOptional<string>;
  declare subject: CreationOptional<string>;
  declare preview: CreationOptional<string>;
  declare toList: string[];
  declare ccList: string[];
  /** The Date header. */
  declare sentAt: CreationOptional<Date | null>;
  declare authentication: object | null;
  declare attachmentCount: CreationOptional<number>;
  /** The name of the list that it came by (RFC 2919). */
  declare listId: CreationOptional<string | null>;
  /**
   * By this the host recognises the same message when it is offered again. It begins with the day
   * on which the message was stored, such as `20261127`, and no two messages have the same.
   */
  declare dedupeKey: CreationOptional<string | null>;
  declare isForwarded: CreationOptional<boolean>;
  /**
   * How many rows the ledger has of it: of its recipients, of forwarded copies, of the members of a
   * group, and of repeats. Absent for messages from before the host kept this.
   */
  declare ledgerRows: CreationOptional<number | null>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

/** Binds Message to a database. */
export function initMessage(sequelize: Sequelize): void {
  Message.init(
    {
      id: idColumn(),
      mailId: text(40),
      blobKey: text(64),
      size: wholeNumber(),
      traceHeaders: { type: DataTypes.TEXT('medium'), allowNull: false, defaultValue: '' },
      messageIdHeader: optionalText(255),
      threadKey: text(64),
      envelopeFrom: text(320),
      fromAddress: { ...text(320), defaultValue: '' },
      fromName: { ...text(255), defaultValue: '' },
      subject: { ...text(998), defaultValue: '' },
      preview: { ...text(255), defaultValue: '' },
      toList: { type: DataTypes.JSON, allowNull: false },
      ccList: { type: DataTypes.JSON, allowNull: false },
      sentAt: optionalMoment(),
      authentication: { type: DataTypes.JSON, allowNull: true },
      attachmentCount: counter(),
      listId: optionalText(255),
      dedupeKey: optionalText(64),
      isForwarded: off(),
      ledgerRows: { type: DataTypes.INTEGER.UNSIGNED, allowNull: true },
      createdAt: moment(),
      updatedAt: moment(),
    },
    { sequelize, tableName: 'messages', underscored: true },
  );
}
