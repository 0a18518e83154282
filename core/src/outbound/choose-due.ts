import { mostRecipients, transferKey } from './deliveries.ts';
import type { DueDelivery } from './find-due.ts';

/** How many transfers a worker may begin. */
export interface Room {
  /** Transfers that this process has room for. */
  transfers: number;
  /** How many of these are kept for domains that have no transfer under way. */
  reserved: number;
  /** The most transfers to one domain, over all processes. */
  perDomain: number;
  /** The most transfers that may go to domains that are down. */
  forDown: number;
  /** True for a domain whose servers could not be reached lately: one transfer at a time. */
  isDown: (domain: string) => boolean;
}

/**
 * Chooses which deliveries to claim, in groups of one message and one domain: the first group of
 * each domain, then the second, and so on. A domain with many due deliveries, or one whose servers
 * don't answer, leaves room for the others. One call chooses at most one group of the same message
 * and domain, and one more for each mailbox that forwards the message there. A group has at most as
 * many recipients as one transfer.
 * @param running transfers under way by domain, over all processes
 */
export function chooseDue(
  due: readonly DueDelivery[],
  room: Room,
  running: ReadonlyMap<string, number>,
): DueDelivery[] {
  const waiting = [...groupsByDomain(due)].map(([domain, groups]) => ({
    domain,
    groups,
    isDown: room.isDown(domain),
  }));
  const chosen: DueDelivery[] = [];
  let free = room.transfers;
  let freeForDown = room.forDown;
  for (let round = 0; free > 0; round += 1) {
    const before = free;
    for (const { domain, groups, isDown } of waiting) {
      const group = groups[round];
      const busy = (running.get(domain) ?? 0) + round;
      if (group === undefined || busy >= (isDown ? 1 : room.perDomain)) continue;
      if (isDown && freeForDown <= 0) continue;
      if (free <= (busy === 0 ? 0 : room.reserved)) continue;
      chosen.push(...group);
      free -= 1;
      if (isDown) freeForDown -= 1;
    }
    if (free === before) break;
  }
  return chosen;
}

/** Groups keep the order in which their first deliveries are due. */
function groupsByDomain(due: readonly DueDelivery[]): Map<string, DueDelivery[][]> {
  const domains = new Map<string, Map<string, DueDelivery[]>>();
  for (const delivery of due) {
    const groups = domains.get(delivery.recipientDomain) ?? new Map<string, DueDelivery[]>();
    domains.set(delivery.recipientDomain, groups);
    const key = transferKey(delivery);
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    if (group.length < mostRecipients) group.push(delivery);
  }
  return new Map([...domains].map(([domain, groups]) => [domain, [...groups.values()]]));
}
