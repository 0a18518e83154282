import { registeredDomain } from '../mail/domain-name.ts';
import { mostRecipients, transferKey } from './deliveries.ts';
import type { DueDelivery } from './find-due.ts';

/** How many transfers a worker may begin. */
export interface Room {
  /** Transfers to other hosts that this process has room for. */
  transfers: number;
  /** How many of these are kept for organisations that have no transfer under way. */
  reserved: number;
  /** How many of the transfers to other hosts may carry automatic messages. */
  automatic: number;
  /** How many of these are kept for organisations that are not down. */
  automaticReserved: number;
  /** The most of the transfers to other hosts that may go to organisations that are down. */
  forDown: number;
  /** Transfers to domains that are hosted here. No other host can make them slow. */
  hosted: number;
  /** The most transfers to one organisation, over all processes. */
  perDomain: number;
  /**
   * True for an organisation whose servers were lately slow or out of reach: one transfer at a
   * time.
   */
  isDown: (organisation: string) => boolean;
}

/**
 * What transfers to a domain are counted by. For another host it is the registered domain, since a
 * stranger can make up any number of names below theirs. A domain that is hosted here counts by
 * itself.
 */
export function organisationOf({
  recipientDomain,
  isHosted,
}: Pick<DueDelivery, 'recipientDomain' | 'isHosted'>): string {
  return isHosted ? `here ${recipientDomain}` : registeredDomain(recipientDomain);
}

/** The groups of deliveries that wait for one organisation. */
interface Waiting {
  organisation: string;
  isHosted: boolean;
  isDown: boolean;
  /** Transfers under way, over all processes, with those that have just been chosen. */
  busy: number;
  groups: DueDelivery[][];
}

/**
 * Chooses which deliveries to claim, in groups of one message and one domain: the first group of
 * each organisation, then the second, and so on. An organisation with many due deliveries, or one
 * whose servers don't answer, leaves room for the others. One call chooses at most one group of the
 * same message and domain, and one more for each mailbox that forwards the message there. A group
 * has at most as many recipients as one transfer.
 * @param running transfers under way by domain, over all processes
 */
export function chooseDue(
  due: readonly DueDelivery[],
  room: Room,
  running: ReadonlyMap<string, number>,
): DueDelivery[] {
  const waiting = waitingFor(due, room, running);
  const most = waiting.reduce((length, { groups }) => Math.max(length, groups.length), 0);
  const left = { ...room };
  const chosen: DueDelivery[] = [];
  for (let round = 0; round < most; round += 1) {
    for (const one of waiting) {
      const group = one.groups[round];
      const isAutomatic = group?.[0]?.isAutomatic === true;
      if (group === undefined || !mayBegin(one, isAutomatic, left)) continue;
      chosen.push(...group);
      one.busy += 1;
      if (one.isHosted) left.hosted -= 1;
      else {
        left.transfers -= 1;
        if (isAutomatic) left.automatic -= 1;
        if (one.isDown) left.forDown -= 1;
      }
    }
  }
  return chosen;
}

function mayBegin({ isHosted, isDown, busy }: Waiting, isAutomatic: boolean, left: Room): boolean {
  if (isHosted) return left.hosted > 0 && busy < left.perDomain;
  if (busy >= (isDown ? 1 : left.perDomain)) return false;
  if (isDown && left.forDown <= 0) return false;
  if (isAutomatic && left.automatic <= (isDown ? left.automaticReserved : 0)) return false;
  return left.transfers > (busy === 0 ? 0 : left.reserved);
}

/** Groups keep the order in which their first deliveries are due. */
function waitingFor(due: readonly DueDelivery[], room: Room, running: ReadonlyMap<string, number>): Waiting[] {
  const elsewhere = new Map<string, number>();
  for (const [domain, count] of running) {
    const organisation = registeredDomain(domain);
    elsewhere.set(organisation, (elsewhere.get(organisation) ?? 0) + count);
  }
  return [...Map.groupBy(due, organisationOf)].map(([organisation, rows]) => {
    const isHosted = rows[0]?.isHosted === true;
    const busy = isHosted ? running.get(rows[0]?.recipientDomain ?? '') : elsewhere.get(organisation);
    const groups = Map.groupBy(rows, (row) => `${transferKey(row)} ${row.recipientDomain}`);
    return {
      organisation,
      isHosted,
      isDown: room.isDown(organisation),
      busy: busy ?? 0,
      groups: [...groups.values()].map((group) => group.slice(0, mostRecipients)),
    };
  });
}
