import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { type FolderName, folderNames } from '../contracts/mail.ts';
import { idColumn, reference } from './base.ts';

/** Messages and unread messages of one folder of one person, kept so that no page counts them. */
export class FolderTotal extends Model<InferAttributes<FolderTotal>, InferCreationAttributes<FolderTotal>> {
  declare id: CreationOptional<string>;
  declare companyId: string;
  declare userId: string;
  declare folder: FolderName;
  declare total: CreationOptional<number>;
  declare unread: CreationOptional<number>;
}

/** Binds FolderTotal to a database. */
export function initFolderTotal(sequelize: Sequelize): void {
  FolderTotal.init(
    {
      id: idColumn(),
      companyId: reference(),
      userId: reference(),
      folder: { type: DataTypes.ENUM(...folderNames), allowNull: false },
      total: { type: DataTypes.INTEGER.UNSIGNED, allowNull: false, defaultValue: 0 },
      unread: { type: DataTypes.INTEGER.UNSIGNED, allowNull: false, defaultValue: 0 },
    },
    { sequelize, tableName: 'folder_totals', underscored: true, timestamps: false },
  );
}
