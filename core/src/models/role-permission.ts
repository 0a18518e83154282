import {
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { idColumn, off, reference, text } from './base.ts';

/** One row of a role's permission matrix. */
export class RolePermission extends Model<InferAttributes<RolePermission>, InferCreationAttributes<RolePermission>> {
  declare id: CreationOptional<string>;
  declare companyId: string;
  /** The role's record id, not its number. */
  declare roleId: string;
  declare model: string;
  declare canView: CreationOptional<boolean>;
  declare canCreate: CreationOptional<boolean>;
  declare canEdit: CreationOptional<boolean>;
  declare canDelete: CreationOptional<boolean>;
}

/** Binds RolePermission to a database. */
export function initRolePermission(sequelize: Sequelize): void {
  RolePermission.init(
    {
      id: idColumn(),
      companyId: reference(),
      roleId: reference(),
      model: text(64),
      canView: off(),
      canCreate: off(),
      canEdit: off(),
      canDelete: off(),
    },
    { sequelize, tableName: 'role_permissions', underscored: true, timestamps: false },
  );
}
