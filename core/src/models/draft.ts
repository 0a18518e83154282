import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { idColumn, moment, off, optionalReference, reference, text } from './base.ts';

/** A message that a person is still writing. */
export class Draft extends Model<InferAttributes<Draft>, InferCreationAttributes<Draft>> {
  declare id: CreationOptional<string>;
  declare companyId: string;
  declare userId: string;
  /** The entry of its latest saved bytes, in the folder of drafts. */
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
      createdAt: moment(),
      updatedAt: moment(),
    },
    { sequelize, tableName: 'drafts', underscored: true },
  );
}
