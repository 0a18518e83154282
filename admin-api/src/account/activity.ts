import type { ActivityDto, listActivity } from '@selvage/core/contracts/account';
import type { InferQuery } from '@selvage/core/contracts/endpoint';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { Op } from 'sequelize';
import { findPage } from '../http/find-page.ts';
import type { Page } from '../http/paging.ts';
import type { SignedIn } from '../http/request-context.ts';

/** What the caller did, and what was done to their account (D31). */
export async function listOwnActivity(
  ctx: SignedIn,
  query: InferQuery<typeof listActivity>,
): Promise<Page<ActivityDto[]>> {
  const { userId } = ctx.actor;
  const { rows, total } = await findPage(ctx, AuditEvent, {
    query,
    sortColumns: { createdAt: 'createdAt' },
    searchColumns: ['action', 'address'],
    where: { [Op.or]: [{ actorId: userId }, { entity: 'user', entityId: userId }] },
    attributes: ['id', 'action', 'address', 'createdAt'],
  });
  return { rows: rows.map(presentActivity), total };
}

function presentActivity({ id, action, address, createdAt }: AuditEvent): ActivityDto {
  return { _id: String(id), action, ip: address, createdAt: createdAt.toISOString() };
}
