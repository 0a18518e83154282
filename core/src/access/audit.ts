import type { CreationAttributes } from 'sequelize';
import { insertRows } from '../database/insert-rows.ts';
import { AuditEvent } from '../models/audit-event.ts';
import type { Ctx } from '../context/context.ts';

/**
 * All actions of the audit trail, as `<subject>:<what happened to it>`. The webmail has a sentence
 * for each of them.
 */
export type AuditAction =
  | `session:${'start' | 'end' | 'refused' | 'reuse-detected'}`
  | `two-factor:${'on' | 'off' | 'refused' | 'app-replaced'}`
  | 'recovery-code:used'
  | 'recovery-codes:renewed'
  | `recovery-otp:${'sent' | 'refused'}`
  | `passkey:${'added' | 'renamed' | 'removed' | 'refused' | 'copied'}`
  | `password:${'changed' | 'refused' | 'reset-asked' | 'link-mailed' | 'set-by-link' | 'set-by-administrator' | 'change-required'}`
  | `recovery-email:${'changed' | 'confirmed' | 'removed'}`
  | `forwarding:${'asked' | 'confirmed' | 'scope-changed' | 'stopped'}`
  | `filter:${'created' | 'updated' | 'removed'}`
  | `blocked-sender:${'added' | 'removed'}`
  | `vacation:${'on' | 'off' | 'updated'}`
  | `app-password:${'created' | 'removed'}`
  | 'mail-login:refused'
  | `signature:${'created' | 'updated' | 'removed' | 'chosen'}`
  | 'profile:updated'
  | `role:${'created' | 'updated' | 'deleted' | 'restored' | 'erased'}`
  | `permissions:${'changed' | 'reset'}`
  | `module:${'created' | 'renamed' | 'removed'}`
  | `user:${'created' | 'updated' | 'deleted' | 'restored' | 'erased'}`
  | `archive:${'asked' | 'made' | 'failed' | 'link-made' | 'downloaded' | 'deleted' | 'restored'}`
  | `mail-backup:${'given' | 'renewed' | 'opened' | 'removed'}`
  | `alias:${'added' | 'removed'}`
  | `group:${'created' | 'updated' | 'deleted'}`
  | 'domain:catch-all-set'
  | `domain:${'created' | 'updated' | 'deleted' | 'restored' | 'erased' | 'proved' | 'vouched-for'}`
  | `dns-record:${'added' | 'changed' | 'removed'}`
  | `delivery:${'retried' | 'held' | 'released' | 'given-up'}`
  | 'dkim-key:asked'
  | 'dkim-key:deleted'
  | `company:${'created' | 'updated' | 'deleted' | 'restored' | 'erased'}`
  | `environment:${'created' | 'updated' | 'removed' | 'revealed'}`
  | 'host:restart-asked'
  | `client:${'created' | 'updated' | 'deleted' | 'restored' | 'erased' | 'credentials-sent'}`;

/** What an action is about. */
export type AuditSubject = AuditAction extends `${infer Subject}:${string}` ? Subject : never;

/** What happened, as the audit trail keeps it (D31). */
export interface AuditInput {
  action: AuditAction;
  entity?: string;
  entityId?: string;
  /** Never secrets, bodies or subjects. */
  details?: Record<string, unknown>;
  companyId?: string | null;
  actorId?: string | null;
  /** The address of the peer, if it is not that of the context. */
  address?: string;
  /** How many events of the same kind this one stands for; one unless given. */
  times?: number;
}

/** Appends an event to the audit trail, in the caller's transaction if there is one. */
export async function recordAudit(ctx: Ctx, input: AuditInput): Promise<void> {
  await AuditEvent.create(eventOf(ctx, input), { transaction: ctx.tx });
}

/**
 * Appends an event about a record of a company. The event is in the trail of that company, even
 * when the actor is a person of the provider, whose own company is another one.
 */
export async function recordAuditOf(
  ctx: Ctx,
  record: { id: string; companyId: string },
  event: Pick<AuditInput, 'action' | 'details'> & { entity: string },
): Promise<void> {
  await recordAudit(ctx, { ...event, entityId: String(record.id), companyId: String(record.companyId) });
}

/** Appends many events to the audit trail in one statement. */
export async function recordAudits(ctx: Ctx, inputs: readonly AuditInput[]): Promise<void> {
  await insertRows(
    ctx,
    AuditEvent,
    inputs.map((input) => eventOf(ctx, input)),
  );
}

function eventOf(ctx: Ctx, input: AuditInput): CreationAttributes<AuditEvent> {
  return {
    companyId: input.companyId ?? ctx.actor?.companyId ?? null,
    actorId: input.actorId ?? ctx.actor?.userId ?? null,
    action: input.action,
    entity: input.entity ?? null,
    entityId: input.entityId ?? null,
    details: input.details ?? null,
    address: input.address ?? ctx.address,
    times: input.times ?? 1,
    createdAt: new Date(),
  };
}

/**
 * Appends an event about a person's account. The owner counts as the actor, unless `isByOwner` is
 * false. It is false where the actor is not known, as for a refused login. Then the event keeps the
 * address of the account, if it is given, for the time after the account is gone.
 */
export async function recordAccountAudit(
  ctx: Ctx,
  user: { id: string; companyId: string; email?: string },
  action: AuditAction,
  options: { details?: Record<string, unknown>; isByOwner?: boolean } = {},
): Promise<void> {
  const { isByOwner = true } = options;
  const details = { ...(isByOwner || !user.email ? {} : { email: user.email }), ...options.details };
  await recordAudit(ctx, {
    action,
    entity: 'user',
    entityId: String(user.id),
    companyId: String(user.companyId),
    ...(isByOwner ? { actorId: String(user.id) } : {}),
    ...(Object.keys(details).length > 0 ? { details } : {}),
  });
}
