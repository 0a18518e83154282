import type { ActivityDto } from '@selvage/core/contracts/account';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { Op } from 'sequelize';
import type { Page } from '../http/paging.ts';
import type { SignedIn } from '../http/request-context.ts';

/** What the person did, and what was done to their account, the latest first (D31). */
export async function listOwnActivity(
  ctx: SignedIn,
  { page, limit }: { page: number; limit: number },
): Promise<Page<ActivityDto[]>> {
  const { userId } = ctx.actor;
  const { rows, count } = await AuditEvent.findAndCountAll({
    where: { [Op.or]: [{ actorId: userId }, { entity: 'user', entityId: userId }] },
    attributes: ['id', 'action', 'address', 'createdAt'],
    order: [['id', 'DESC']],
    limit,
    offset: (page - 1) * limit,
  });
  return { rows: rows.map(presentActivity), total: count };
}

function presentActivity({ id, action, address, createdAt }: AuditEvent): ActivityDto {
  return { _id: String(id), action, ip: address, createdAt: createdAt.toISOString() };
}
