import type { Ctx } from '@selvage/core/context/context';
import { claimDeliveries } from '@selvage/core/outbound/claim-deliveries';
import type { ClaimedDelivery } from '@selvage/core/outbound/deliveries';
import { queueAndFindDue } from '@selvage/core/outbound/find-due';

/**
 * Claims one delivery as a worker would; null when it is not due, or another worker holds its
 * claim.
 */
export async function claimOne(ctx: Ctx, id: string, now = new Date()): Promise<ClaimedDelivery | null> {
  const claims = { expired: true };
  const { due } = await queueAndFindDue(ctx, claims, now);
  const room = { transfers: 1, reserved: 0, perDomain: 1000, forDown: 1000, isDown: () => false };
  const own = due.filter((one) => String(one.id) === id);
  const [group] = await claimDeliveries(ctx, own, { claims, room, now });
  return group?.deliveries[0] ?? null;
}
