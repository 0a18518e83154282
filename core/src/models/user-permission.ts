import {
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { idColumn, off, reference, text } from './base.ts';

/** A person's own row of the matrix. It takes the place of the role's (D4). */
export class UserPermission extends Model<InferAttributes<UserPermission>, InferCreationAttributes<UserPermission>> {
  declare id: CreationOptional<string>;
  declare companyId: string;
  declare userId: string;
  declare model: string;
  declare canView: CreationOptional<boolean>;
  declare canCreate: CreationOptional<boolean>;
  declare canEdit: CreationOptional<boolean>;
  declare canDelete: CreationOptional<boolean>;
}

/** Binds UserPermission to a database. */
export function initUserPermission(sequelize: Sequelize): void {
  UserPermission.init(
    {
      id: idColumn(),
      companyId: reference(),
      userId: reference(),
      model: text(64),
      canView: off(),
      canCreate: off(),
      canEdit: off(),
      canDelete: off(),
    },
    { sequelize, tableName: 'user_permissions', underscored: true, timestamps: false },
  );
}
