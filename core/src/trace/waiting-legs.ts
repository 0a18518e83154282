import type { Period } from '../ledger/account-for-mail.ts';
import { heldReason, inGroup, queuedFor, type WaitingCondition } from '../ledger/waiting-groups.ts';
import type { DeliveryState } from '../models/delivery.ts';
import { byTime, type Leg, type Term } from './leg.ts';
import { isOwn, type TraceScope } from './trace-scope.ts';

/*
 * Deliveries that wait have an index of their own, which leaves out nearly all of the ledger. So a
 * search finds one that waits beside any number of other rows for its domain. Deliveries that their
 * sender holds are not in that index, and are found by their state.
 */

interface Asked extends Pick<TraceScope, 'companyId'>, Pick<Period, 'from'> {
  states?: readonly DeliveryState[] | undefined;
}

/**
 * The legs of a search for deliveries that wait, or for those that are held: all of them, or those
 * for a domain. Null for any other search.
 */
export function waitingLegs(term: Term, { companyId, from, states = [] }: Asked): Leg[] | null {
  const [state, ...others] = states;
  if (others.length > 0 || (state !== 'queued' && state !== 'held')) return null;
  const isForDomain = term.kind === 'domain' && term.party === 'recipient';
  if (term.kind !== 'all' && !isForDomain) return null;
  const domain = term.kind === 'all' ? null : term.value;
  const company: WaitingCondition =
    companyId === null
      ? { sql: 'd.waiting_company IS NOT NULL', values: [] }
      : { sql: 'd.waiting_company = ?', values: [companyId] };
  const leg: Leg = {
    index: 'deliveries_waiting',
    order: 'd.waiting_since DESC, d.id DESC',
    // waiting_since is never before created_at, so this leaves out no row of the period
    where: [company, groupsOf(state, domain), { sql: 'd.waiting_since >= ?', values: [from] }],
    time: 'd.waiting_since',
  };
  return state === 'queued' ? [leg] : [leg, heldBySenders(domain, companyId)];
}

function groupsOf(state: 'queued' | 'held', domain: string | null): WaitingCondition {
  if (domain !== null) return state === 'held' ? inGroup(domain, heldReason) : queuedFor(domain);
  return { sql: `d.waiting_group ${state === 'held' ? 'LIKE' : 'NOT LIKE'} ?`, values: [`% ${heldReason}`] };
}

/** Messages that can still be taken back, and scheduled ones. */
function heldBySenders(domain: string | null, companyId: string | null): Leg {
  const held = { sql: `d.direction = 'out' AND d.state = 'held' AND NOT (d.reason <=> ?)`, values: [heldReason] };
  const where = companyId === null ? [held] : [held, isOwn(companyId)];
  if (domain === null) return { index: 'deliveries_due', order: byTime, where };
  const ofDomain = { sql: 'd.recipient_domain = ?', values: [domain] };
  return { index: 'deliveries_domain', order: byTime, where: [...where, ofDomain] };
}
