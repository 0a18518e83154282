import { type InferAttributes, type InferCreationAttributes, Model, type Sequelize } from 'sequelize';
import { reference } from './base.ts';

/** A person that a group delivers to. */
export class GroupMember extends Model<InferAttributes<GroupMember>, InferCreationAttributes<GroupMember>> {
  declare groupId: string;
  declare userId: string;
  declare companyId: string;
}

/** Binds GroupMember to a database. */
export function initGroupMember(sequelize: Sequelize): void {
  GroupMember.init(
    {
      groupId: { ...reference(), primaryKey: true },
      userId: { ...reference(), primaryKey: true },
      companyId: reference(),
    },
    { sequelize, tableName: 'group_members', underscored: true, timestamps: false },
  );
}
