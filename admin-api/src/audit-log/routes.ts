import { listAuditEvents } from '@selvage/core/contracts/audit-log';
import { signedIn } from '../http/request-context.ts';
import { type ApiRouter, route } from '../http/route.ts';
import { findAuditEvents } from './audit-log.ts';

/** Binds the call about the audit trail. */
export function bindAuditLog(router: ApiRouter): void {
  route(router, listAuditEvents, (ctx, { query }) => findAuditEvents(signedIn(ctx), query));
}
