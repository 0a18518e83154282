import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type NonAttribute,
  type Sequelize,
} from 'sequelize';
import type { Company } from './company.ts';
import type { User } from './user.ts';
import { counter, idColumn, moment, optionalReference, optionalText, text } from './base.ts';

/**
 * An event of the audit trail: the actor, the action, the record, the time and the address (D31).
 * It is never changed.
 */
export class AuditEvent extends Model<InferAttributes<AuditEvent>, InferCreationAttributes<AuditEvent>> {
  declare id: CreationOptional<string>;
  declare companyId: CreationOptional<string | null>;
  declare actorId: CreationOptional<string | null>;
  declare action: string;
  declare entity: CreationOptional<string | null>;
  declare entityId: CreationOptional<string | null>;
  declare details: object | null;
  declare address: string;
  /** How many events of the same kind this one stands for. */
  declare times: CreationOptional<number>;
  declare createdAt: CreationOptional<Date>;
  /** The actor, only where a query includes it; null when the person's row is removed. */
  declare actor?: NonAttribute<User | null>;
  /**
   * The event of the actor's permanent deletion, only where a query includes it. Its details hold
   * the actor's `email`. It is younger than the actor's own events, so the trail keeps it longer.
   */
  declare actorErasure?: NonAttribute<AuditEvent | null>;
  declare company?: NonAttribute<Company | null>;
}

/** Binds AuditEvent to a database. */
export function initAuditEvent(sequelize: Sequelize): void {
  AuditEvent.init(
    {
      id: idColumn(),
      companyId: optionalReference(),
      actorId: optionalReference(),
      action: text(64),
      entity: optionalText(64),
      entityId: optionalReference(),
      details: { type: DataTypes.JSON, allowNull: true },
      address: text(45),
      times: counter(1),
      createdAt: moment(),
    },
    { sequelize, tableName: 'audit_events', underscored: true, timestamps: false },
  );
}
