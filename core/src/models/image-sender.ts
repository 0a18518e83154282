import {
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { idColumn, moment, reference, text } from './base.ts';

/** A sender whose remote pictures a person always sees, where DMARC passed (D42). */
export class ImageSender extends Model<InferAttributes<ImageSender>, InferCreationAttributes<ImageSender>> {
  declare id: CreationOptional<string>;
  declare companyId: string;
  declare userId: string;
  /** In lower case. */
  declare address: string;
  declare createdAt: CreationOptional<Date>;
}

/** Binds ImageSender to a database. */
export function initImageSender(sequelize: Sequelize): void {
  ImageSender.init(
    { id: idColumn(), companyId: reference(), userId: reference(), address: text(320), createdAt: moment() },
    { sequelize, tableName: 'image_senders', underscored: true, updatedAt: false },
  );
}
