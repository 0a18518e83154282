import { fullName } from '../contracts/full-name.ts';
import { type Model, Op } from 'sequelize';
import type { Conflict } from '../contracts/endpoint.ts';
import { AppError } from '../errors.ts';
import { AuditEvent } from '../models/audit-event.ts';
import { User } from '../models/user.ts';
import type { TxCtx } from '../context/context.ts';
import { type AuditAction, recordAudit } from './audit.ts';

/*
 * Two people have the same form open. What the second one saves must not undo what the first one
 * saved. So a form sends the `version` that its record had. A change that starts from another
 * version is refused, and the answer names the last person who changed the record and the fields
 * that were changed.
 *
 * The version is a number that each change raises. `updatedAt` would not do: two changes can fall
 * into one millisecond, and the clocks of servers differ and are set back. The row of a person is
 * also written for reasons that are in no form, such as the last code of their app.
 *
 * What was changed between two versions is read from the audit events: each holds the version that
 * its change made.
 */

/** A record that forms change: one of a company, a company itself, or one of the host. */
type Versioned = Model & { id: string; companyId?: string; version: number; updatedAt: Date };

/** What a form changes. */
interface FormChange<M extends Versioned> {
  /** The new values by attribute. */
  changes: Partial<M['dataValues']>;
  /** The call's body fields by the attributes that they fill. */
  fields: Partial<Record<keyof M['dataValues'], string>>;
  /**
   * The version that the form started from; undefined when the caller does not know it, and then
   * the change is made.
   */
  startedFrom: number | undefined;
  entity: string;
  action: AuditAction & (`${string}:updated` | 'domain:catch-all-set');
  /**
   * Fields of the form that change another record, where their values differ. They raise this
   * record's version as well, so that of two forms that change them one is saved.
   */
  elsewhere?: string[];
  /**
   * Attributes whose values, before and after, the audit event keeps. They are neither secrets nor
   * what a person wrote of themselves.
   */
  compared?: readonly (keyof M['dataValues'])[];
  /** What the audit event says beside the fields, such as a value before and after. */
  details?: Record<string, unknown>;
  /** The company of the audit event, where the record belongs to none. */
  companyId?: string;
  /** The record as the call answers it. */
  present: () => unknown;
}

/** Events that hold the version which their change made. Only people have recovery addresses. */
const ofForms = [
  { [Op.endsWith]: ':updated' },
  { [Op.startsWith]: 'recovery-email:' },
  { [Op.eq]: 'domain:catch-all-set' },
];

/** How many changes a conflict looks back. */
const lookBack = 50;

/**
 * Saves what a form changed, raises the record's version and leaves an audit event. The record was
 * read under a row lock of this transaction, so of two forms that started from the same version one
 * is saved.
 * @returns the names of the fields that differ; when none does, nothing is written
 * @throws 409 `changed_meanwhile` when the form started from another version than the record has
 */
export async function saveForm<M extends Versioned>(ctx: TxCtx, record: M, change: FormChange<M>): Promise<string[]> {
  const { startedFrom, entity, action } = change;
  if (startedFrom !== undefined && startedFrom !== record.version) {
    throw changedMeanwhile(await conflictOf(ctx, record, change, startedFrom));
  }
  record.set(change.changes);
  const changed = record.changed() || [];
  const own = changed.flatMap((name) => change.fields[name as keyof M['dataValues']] ?? []);
  const fields = [...own, ...(change.elsewhere ?? [])];
  if (changed.length === 0 && fields.length === 0) return [];
  const comparison = comparisonOf(record, change);
  const version = record.version + 1;
  await record.set({ version } as Partial<M['dataValues']>).save({ transaction: ctx.tx });
  await recordAudit(ctx, {
    action,
    entity,
    entityId: String(record.id),
    companyId: change.companyId ?? String(record.companyId ?? record.id),
    details: { ...change.details, ...comparison, fields, version },
  });
  return fields;
}

/** The changed values before and after, by the field names of the form. */
function comparisonOf<M extends Versioned>(
  record: M,
  { compared = [], fields, details }: FormChange<M>,
): { before?: object; after?: object } {
  const changed = compared.filter((name) => record.changed(name));
  if (changed.length === 0) return {};
  const named = (valueOf: (name: keyof M) => unknown): object =>
    Object.fromEntries(changed.map((name) => [fields[name] ?? name, valueOf(name)]));
  return {
    before: { ...named((name) => record.previous(name)), ...(details?.['before'] as object) },
    after: { ...named((name) => record.get(name)), ...(details?.['after'] as object) },
  };
}

async function conflictOf<M extends Versioned>(
  ctx: TxCtx,
  record: M,
  { entity, present }: FormChange<M>,
  startedFrom: number,
): Promise<Conflict> {
  const events = await AuditEvent.findAll({
    where: { entity, entityId: String(record.id), action: { [Op.or]: ofForms } },
    order: [
      ['createdAt', 'DESC'],
      ['id', 'DESC'],
    ],
    limit: lookBack,
    transaction: ctx.tx,
  });
  const changes = events.map((event) => ({ event, ...changeIn(event.details) }));
  const last = changes.find(({ version }) => version === record.version)?.event;
  const later = changes.filter(({ version }) => version > startedFrom);
  return {
    by: last?.actorId ? await displayName(ctx, last.actorId) : null,
    at: (last?.createdAt ?? record.updatedAt).toISOString(),
    fields: [...new Set(later.flatMap(({ fields }) => fields))].toSorted(),
    current: await present(),
  };
}

/** What `saveForm` wrote down; version 0 for events from elsewhere. */
function changeIn(details: object | null): { version: number; fields: string[] } {
  const { version, fields } = { version: 0, fields: [], ...details };
  return { version: Number(version) || 0, fields: Array.isArray(fields) ? fields.map(String) : [] };
}

async function displayName(ctx: TxCtx, userId: string): Promise<string | null> {
  const user = await User.findByPk(userId, { attributes: ['fname', 'lname'], transaction: ctx.tx });
  return user ? fullName(user) || null : null;
}

function changedMeanwhile(conflict: Conflict): AppError {
  const publicText = 'This was changed after you opened it. Your changes are not saved yet: look at what is different.';
  return new AppError({ status: 409, code: 'changed_meanwhile', publicText, conflict });
}
