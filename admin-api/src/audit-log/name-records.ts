import { inScope, type OfTenant } from '@selvage/core/access/scope';
import type { AuditEventDto } from '@selvage/core/contracts/audit-log';
import { fullName } from '@selvage/core/contracts/full-name';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { Client } from '@selvage/core/models/client';
import { Company } from '@selvage/core/models/company';
import { Domain } from '@selvage/core/models/domain';
import { Group } from '@selvage/core/models/group';
import { Role } from '@selvage/core/models/role';
import { User } from '@selvage/core/models/user';
import { type Attributes, type ModelStatic, Op, type WhereOptions } from 'sequelize';
import type { SignedIn } from '../http/request-context.ts';

/** A record by its name, and by its address if it has one. */
type NamedRecord = NonNullable<AuditEventDto['record']>;

type ById = Map<string, NamedRecord>;

/** A kind of record that events are about. */
interface Kind {
  find: (ctx: SignedIn, ids: string[]) => Promise<ById>;
  /** The keys under which the details of an event hold the name and the address of the record. */
  keys: { name?: string; email?: string };
  /** The action that removes such a record for good. The details of its event name the record. */
  end: string;
}

const kinds: Record<string, Kind> = {
  user: {
    find: finderOf(User, ['fname', 'lname', 'email'], (user) => ({ name: fullName(user), email: user.email })),
    keys: { email: 'email' },
    end: 'user:erased',
  },
  role: {
    find: finderOf(Role, ['roleName'], ({ roleName }) => ({ name: roleName, email: '' })),
    keys: { name: 'role_name' },
    end: 'role:erased',
  },
  domain: {
    find: finderOf(Domain, ['domainName'], ({ domainName }) => ({ name: domainName, email: '' })),
    keys: { name: 'domain_name' },
    end: 'domain:erased',
  },
  group: {
    find: finderOf(Group, ['name', 'address'], ({ name, address }) => ({ name, email: address })),
    keys: { name: 'name', email: 'address' },
    end: 'group:deleted',
  },
  company: {
    find: finderOf(Company, ['name'], ({ name }) => ({ name, email: '' })),
    keys: { name: 'name' },
    end: 'company:erased',
  },
  client: {
    find: finderOf(Client, ['fname', 'lname', 'businessEmail'], (client) => {
      return { name: fullName(client), email: client.businessEmail };
    }),
    keys: { name: 'company_name', email: 'business_email' },
    end: 'client:erased',
  },
};

function finderOf<M extends OfTenant & { id: string }>(
  model: ModelStatic<M>,
  attributes: (keyof Attributes<M> & string)[],
  nameOf: (record: M) => NamedRecord,
): Kind['find'] {
  return async (ctx, ids) => {
    const where = { [Op.and]: [inScope(ctx, model), { id: ids }] } as WhereOptions<Attributes<M>>;
    const found = await model.findAll({ where, attributes: ['id', ...attributes], transaction: ctx.tx });
    return new Map(found.map((record) => [String(record.id), nameOf(record)]));
  };
}

/**
 * The records that events are about, by the id of the event. One query for each kind reads their
 * present names. A record that is gone has the name in the details of its event or, without one, in
 * those of its deletion. An event about a record whose name is not known has none.
 */
export async function nameRecords(ctx: SignedIn, events: readonly AuditEvent[]): Promise<ById> {
  const present: ById = new Map();
  for (const { kind, entity, ids } of idsByKind(events)) {
    for (const [id, record] of await kind.find(ctx, ids)) present.set(`${entity} ${id}`, record);
  }
  const recordOf = (event: AuditEvent) => present.get(keyOf(event)) ?? nameInDetails(event);
  const gone = await readDeletions(
    ctx,
    events.filter((event) => !recordOf(event)),
  );
  return new Map(
    events.flatMap((event): [string, NamedRecord][] => {
      const record = recordOf(event) ?? gone.get(keyOf(event));
      return record ? [[String(event.id), record]] : [];
    }),
  );
}

/** The names of records in the events of their deletion, by kind and id. */
async function readDeletions(ctx: SignedIn, events: readonly AuditEvent[]): Promise<ById> {
  const ends = idsByKind(events).map(({ kind, entity, ids }) => ({ entity, entityId: ids, action: kind.end }));
  if (ends.length === 0) return new Map();
  const deletions = await AuditEvent.findAll({
    where: { [Op.and]: [inScope(ctx, AuditEvent), { [Op.or]: ends }] },
    attributes: ['entity', 'entityId', 'details'],
    transaction: ctx.tx,
  });
  return new Map(
    deletions.flatMap((event): [string, NamedRecord][] => {
      const record = nameInDetails(event);
      return record ? [[keyOf(event), record]] : [];
    }),
  );
}

/** The ids of the records of each kind that has names. */
function idsByKind(events: readonly AuditEvent[]): { kind: Kind; entity: string; ids: string[] }[] {
  return [...Map.groupBy(events.map(subjectOf), ({ entity }) => entity ?? '')].flatMap(([entity, some]) => {
    const kind = kinds[entity];
    const ids = new Set(some.flatMap(({ id }) => (id ? [id] : [])));
    return kind && ids.size > 0 ? [{ kind, entity, ids: [...ids] }] : [];
  });
}

/** Only their owner changes these, so their events are about the actor. */
const ownOnly: ReadonlySet<string> = new Set(['filter', 'vacation']);

/** The kind and the id of what an event is about. */
function subjectOf({ entity, entityId, actorId }: AuditEvent): { entity: string | null; id: string | null } {
  if (entity !== null && ownOnly.has(entity)) return { entity: 'user', id: actorId && String(actorId) };
  return { entity, id: entityId && String(entityId) };
}

function keyOf(event: AuditEvent): string {
  const { entity, id } = subjectOf(event);
  return `${entity} ${id}`;
}

function nameInDetails(event: AuditEvent): NamedRecord | null {
  const { name, email } = kinds[subjectOf(event).entity ?? '']?.keys ?? {};
  const facts: Record<string, unknown> = { ...event.details };
  const textOf = (key: string | undefined): string => (key === undefined ? '' : String(facts[key] ?? ''));
  const record = { name: textOf(name) || textOf(email), email: textOf(email) };
  return record.name === '' ? null : record;
}
