import { AuditEvent } from '../models/audit-event.ts';
import type { Ctx } from '../runtime/context.ts';

/** What happened, as the audit trail keeps it (D31). */
export interface AuditInput {
  /** `<entity>:<verb>`, e.g. `session:start`. */
  action: string;
  entity?: string;
  entityId?: string;
  /** Never secrets, bodies or subjects. */
  details?: Record<string, unknown>;
  companyId?: string | null;
  actorId?: string | null;
}

/** Appends an event to the audit trail, in the caller's transaction if there is one. */
export async function recordAudit(ctx: Ctx, input: AuditInput): Promise<void> {
  await AuditEvent.create(
    {
      companyId: input.companyId ?? ctx.actor?.companyId ?? null,
      actorId: input.actorId ?? ctx.actor?.userId ?? null,
      action: input.action,
      entity: input.entity ?? null,
      entityId: input.entityId ?? null,
      details: input.details ?? null,
      address: ctx.address,
      createdAt: new Date(),
    },
    { transaction: ctx.tx },
  );
}
