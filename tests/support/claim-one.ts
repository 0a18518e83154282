import type { Ctx } from '@selvage/core/context/context';
import type { Room } from '@selvage/core/outbound/choose-due';
import { claimDeliveries } from '@selvage/core/outbound/claim-deliveries';
import type { ClaimedDelivery } from '@selvage/core/outbound/deliveries';
import { queueAndFindDue } from '@selvage/core/outbound/find-due';

/** Room for every transfer. */
export const ampleRoom: Room = {
  transfers: 1000,
  reserved: 0,
  automatic: 1000,
  automaticReserved: 0,
  forDown: 1000,
  hosted: 1000,
  perDomain: 1000,
  isDown: () => false,
};

/**
 * Claims one delivery as a worker would; null when it is not due, or another worker holds its
 * claim.
 */
export async function claimOne(ctx: Ctx, id: string, now = new Date()): Promise<ClaimedDelivery | null> {
  const claims = { withRunOutLeases: true };
  const { due } = await queueAndFindDue(ctx, claims, { now });
  const own = due.filter((one) => String(one.id) === id);
  const [group] = await claimDeliveries(ctx, own, { claims, room: ampleRoom, now });
  return group?.deliveries[0] ?? null;
}
