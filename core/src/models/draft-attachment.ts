import {
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { idColumn, reference, text, wholeNumber } from './base.ts';

/** A file of a draft; its bytes are a blob of their own. */
export class DraftAttachment extends Model<InferAttributes<DraftAttachment>, InferCreationAttributes<DraftAttachment>> {
  declare id: CreationOptional<string>;
  declare draftId: string;
  declare blobKey: string;
  declare filename: string;
  declare contentType: string;
  declare size: number;
}

/** Binds DraftAttachment to a database. */
export function initDraftAttachment(sequelize: Sequelize): void {
  DraftAttachment.init(
    {
      id: idColumn(),
      draftId: reference(),
      blobKey: text(64),
      filename: text(255),
      contentType: text(255),
      size: wholeNumber(),
    },
    { sequelize, tableName: 'draft_attachments', underscored: true, timestamps: false },
  );
}
