import type { ActivityDto, listActivity } from '@selvage/core/contracts/account';
import type { InferQuery } from '@selvage/core/contracts/endpoint';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { Op } from 'sequelize';
import { findPage } from '../http/find-page.ts';
import type { Page } from '../http/paging.ts';
import type { SignedIn } from '../http/request-context.ts';

/**
 * What was done to the caller's account, and what the caller did (D31). What they did to the
 * account of another person is left out, since it would read as if it had been done to their own.
 */
export async function listOwnActivity(
  ctx: SignedIn,
  query: InferQuery<typeof listActivity>,
): Promise<Page<ActivityDto[]>> {
  const { userId } = ctx.actor;
  const { rows, total } = await findPage(ctx, AuditEvent, {
    query,
    sortColumns: { createdAt: 'createdAt' },
    searchColumns: ['action', 'address'],
    where: {
      [Op.or]: [
        { entity: 'user', entityId: userId },
        { actorId: userId, entity: { [Op.or]: [null, { [Op.ne]: 'user' }] } },
      ],
    },
    attributes: ['id', 'action', 'address', 'createdAt'],
  });
  return { rows: rows.map(presentActivity), total };
}

function presentActivity({ id, action, address, createdAt }: AuditEvent): ActivityDto {
  return { _id: String(id), action, ip: address, createdAt: createdAt.toISOString() };
}
