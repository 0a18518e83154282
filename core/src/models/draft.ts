import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import {
  counter,
  idColumn,
  moment,
  off,
  optionalMoment,
  optionalReference,
  optionalText,
  recordVersion,
  reference,
  text,
} from './base.ts';

/** A message that a person is still writing. */
export class Draft extends Model<InferAttributes<Draft>, InferCreationAttributes<Draft>> {
  declare id: CreationOptional<string>;
  declare companyId: string;
  declare userId: string;
  /** The entry of its latest bytes, in the folder of drafts; null before they are written. */
  declare entryId: CreationOptional<string | null>;
  declare toList: string[];
  declare ccList: string[];
  declare bccList: string[];
  declare subject: CreationOptional<string>;
  declare body: CreationOptional<string>;
  declare starStatus: CreationOptional<boolean>;
  /** The message it answers or forwards. */
  declare originalEntryId: CreationOptional<string | null>;
  declare isReply: CreationOptional<boolean>;
  /** The address that was chosen for From; null when none was. */
  declare fromAddress: CreationOptional<string | null>;
  /** The first words of its text. */
  declare preview: CreationOptional<string>;
  /** Bytes of its saved text and of its recipients. */
  declare bodyBytes: CreationOptional<number>;
  /** When its bytes are to be made; null when its entry has those of the last save. */
  declare bytesDueAt: CreationOptional<Date | null>;
  /** Message-ID of the message that it answers; null where the entry's bytes say it. */
  declare inReplyTo: CreationOptional<string | null>;
  /** The Message-IDs of the conversation that it continues, as in the header `References`. */
  declare referenceIds: CreationOptional<string[] | null>;
  /** Raised by each save. */
  declare version: CreationOptional<number>;
  /** The key of the save that made the draft, to recognise a repeat of it; null without a key. */
  declare firstSave: CreationOptional<string | null>;
  /** The same for the last save. */
  declare lastSave: CreationOptional<string | null>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

/** Binds Draft to a database. */
export function initDraft(sequelize: Sequelize): void {
  Draft.init(
    {
      id: idColumn(),
      companyId: reference(),
      userId: reference(),
      entryId: optionalReference(),
      toList: { type: DataTypes.JSON, allowNull: false },
      ccList: { type: DataTypes.JSON, allowNull: false },
      bccList: { type: DataTypes.JSON, allowNull: false },
      subject: { ...text(998), defaultValue: '' },
      body: { type: DataTypes.TEXT('long'), allowNull: false, defaultValue: '' },
      starStatus: off(),
      originalEntryId: optionalReference(),
      isReply: off(),
      fromAddress: optionalText(320),
      preview: { ...text(255), defaultValue: '' },
      bodyBytes: counter(),
      bytesDueAt: optionalMoment(),
      inReplyTo: optionalText(998),
      referenceIds: { type: DataTypes.JSON, allowNull: true },
      version: recordVersion(),
      firstSave: optionalText(64),
      lastSave: optionalText(64),
      createdAt: moment(),
      updatedAt: moment(),
    },
    { sequelize, tableName: 'drafts', underscored: true },
  );
}
