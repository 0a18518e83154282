import {
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { idColumn, off, optionalText, reference, text, wholeNumber } from './base.ts';

/** A file of a message. Its bytes are found in the message's blob by its index. */
export class Attachment extends Model<InferAttributes<Attachment>, InferCreationAttributes<Attachment>> {
  declare id: CreationOptional<string>;
  declare messageId: string;
  declare partIndex: number;
  declare filename: string;
  declare contentType: string;
  declare size: number;
  declare contentId: CreationOptional<string | null>;
  declare isInline: CreationOptional<boolean>;
}

/** Binds Attachment to a database. */
export function initAttachment(sequelize: Sequelize): void {
  Attachment.init(
    {
      id: idColumn(),
      messageId: reference(),
      partIndex: wholeNumber(),
      filename: text(255),
      contentType: text(255),
      size: wholeNumber(),
      contentId: optionalText(255),
      isInline: off(),
    },
    { sequelize, tableName: 'attachments', underscored: true, timestamps: false },
  );
}
