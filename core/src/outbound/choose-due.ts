import { registeredDomain } from '../mail/domain-name.ts';
import { groupKey, mostRecipients } from './deliveries.ts';
import type { DueDelivery } from './find-due.ts';

/** How many transfers a worker may begin. */
export interface Room {
  /** Transfers to other hosts that this process has room for. */
  transfers: number;
  /** How many of these are kept for lanes that have no transfer under way. */
  reserved: number;
  /** How many of the transfers to other hosts may carry automatic messages. */
  automatic: number;
  /** How many of these are kept for lanes that are not down. */
  automaticReserved: number;
  /** The most of the transfers to other hosts that may begin in lanes that are down. */
  forDown: number;
  /** Transfers to domains that are hosted here. No other host can make them slow. */
  hosted: number;
  /**
   * The most transfers to one domain, over all processes. For automatic messages: to all names
   * below one registered domain.
   */
  perDomain: number;
  /** True for a lane whose servers were lately slow or out of reach: one transfer at a time. */
  isDown: (lane: string) => boolean;
}

/**
 * The lane of a delivery. Lanes take turns, and may be down by themselves. The limit of transfers
 * counts all lanes of a domain together (`Busy`). Senders choose where answers go, and an attacker
 * can make up any number of names below one registered domain, so automatic messages to such names
 * share a lane. All other mail has a lane for each domain: a dead name below the domain of a large
 * provider must not hold up the mail to that domain.
 */
export function laneOf({
  recipientDomain,
  isHosted,
  isAutomatic,
}: Pick<DueDelivery, 'recipientDomain' | 'isHosted' | 'isAutomatic'>): string {
  if (isHosted) return `here ${recipientDomain}`;
  return isAutomatic ? answersTo(recipientDomain) : recipientDomain;
}

const answersTo = (domain: string) => `answers ${registeredDomain(domain)}`;

/** The groups of deliveries that wait in one lane. */
interface Waiting {
  /** The name in `Busy` whose transfers count against its limit. */
  countedBy: string;
  isHosted: boolean;
  isAutomatic: boolean;
  isDown: boolean;
  /** Transfers in it that have just been chosen. */
  begun: number;
  groups: DueDelivery[][];
}

/**
 * Transfers under way, over all processes, with those that have just been chosen: by domain, and by
 * `answersTo` for all names below one registered domain. The rows that are counted do not say
 * which transfers are automatic, so each counts for both.
 */
class Busy {
  readonly #counts = new Map<string, number>();

  constructor(running: ReadonlyMap<string, number>) {
    for (const [domain, transfers] of running) this.add(domain, transfers);
  }

  add(domain: string, transfers: number): void {
    for (const name of [domain, answersTo(domain)]) this.#counts.set(name, this.of(name) + transfers);
  }

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }
}

/**
 * Chooses which deliveries to claim, in groups of one message and one domain: the first group of
 * each lane, then the second, and so on. A lane with many due deliveries, or one whose servers
 * don't answer, leaves room for the others. One call chooses at most one group of the
 * same message and domain, and one more for each mailbox that forwards the message there. A group
 * has at most as many recipients as one transfer.
 * @param running transfers under way by domain, over all processes
 */
export function chooseDue(
  due: readonly DueDelivery[],
  room: Room,
  running: ReadonlyMap<string, number>,
): DueDelivery[] {
  const waiting = waitingFor(due, room);
  const busy = new Busy(running);
  const most = waiting.reduce((length, { groups }) => Math.max(length, groups.length), 0);
  const left = { ...room };
  const chosen: DueDelivery[] = [];
  for (let round = 0; round < most; round += 1) {
    for (const one of waiting) {
      const group = one.groups[round];
      const [first] = group ?? [];
      if (group === undefined || first === undefined || !mayBegin(one, busy.of(one.countedBy), left)) continue;
      chosen.push(...group);
      one.begun += 1;
      busy.add(first.recipientDomain, 1);
      if (one.isHosted) left.hosted -= 1;
      else {
        left.transfers -= 1;
        if (one.isAutomatic) left.automatic -= 1;
        if (one.isDown) left.forDown -= 1;
      }
    }
  }
  return chosen;
}

function mayBegin({ isHosted, isAutomatic, isDown, begun }: Waiting, busy: number, left: Room): boolean {
  if (busy >= left.perDomain) return false;
  if (isHosted) return left.hosted > 0;
  // `busy` counts the mail of people too, so answers to a domain that is down would wait for as
  // long as people write to it. So for answers only the transfers that this call has chosen count
  // here. The caller leaves out answers while one of their lane runs (`#isFull`)
  if (isDown && (left.forDown <= 0 || (isAutomatic ? begun : busy) > 0)) return false;
  if (isAutomatic && left.automatic <= (isDown ? left.automaticReserved : 0)) return false;
  return left.transfers > (busy === 0 ? 0 : left.reserved);
}

/** Groups keep the order in which their first deliveries are due. */
function waitingFor(due: readonly DueDelivery[], room: Room): Waiting[] {
  return [...Map.groupBy(due, laneOf)].map(([lane, rows]) => {
    const isHosted = rows[0]?.isHosted === true;
    const groups = Map.groupBy(rows, groupKey);
    return {
      countedBy: isHosted ? (rows[0]?.recipientDomain ?? '') : lane,
      isHosted,
      isAutomatic: rows[0]?.isAutomatic === true,
      isDown: room.isDown(lane),
      begun: 0,
      groups: [...groups.values()].map((group) => group.slice(0, mostRecipients)),
    };
  });
}
