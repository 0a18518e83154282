import type { HealthReport } from '../process/health.ts';
import type { MetricsJson } from '../metrics.ts';

/*
 * What the processes of one program tell each other. They are children of one primary process
 * (Node's cluster), and each is called a member. All messages go through the primary.
 */

/** How many connections a key has in a member. 0: none any more. */
export type CountChange = readonly [key: string, count: number];

/** From a member to the primary. */
export type ToPrimary =
  /** The member does its work from now on. */
  | { type: 'ready' }
  | { type: 'health'; id: number; report: HealthReport }
  | { type: 'metrics'; id: number; metrics: MetricsJson }
  /** Asks that all members be replaced. */
  | { type: 'replace' }
  /** Asks for the metrics of all members together. */
  | { type: 'ask_all_metrics'; id: number }
  /** Asks for the counts of the other members at a door. */
  | { type: 'ask_counts'; door: string }
  | { type: 'counts'; door: string; changes: CountChange[] }
  /** Asks that the member with the most connections of a key at a full door end one of them. */
  | { type: 'make_room'; door: string; key: string };

/** From the primary to a member. */
export type ToMember =
  | { type: 'ask_health'; id: number }
  /** Asks for a member's metrics; `ofHost` adds those of the host, which one member collects. */
  | { type: 'ask_metrics'; id: number; ofHost: boolean }
  | { type: 'all_metrics'; id: number; text: string }
  | { type: 'counts'; from: number; door: string; changes: CountChange[] }
  /** The door is full, and this member has the most connections of the key: it ends one of them. */
  | { type: 'make_room'; door: string; key: string }
  /** Another member has taken the place of this one, which finishes its work and ends. */
  | { type: 'replaced' }
  /** The members were not replaced: a new one did not get ready. */
  | { type: 'replace_failed' }
  /** Another member has ended. */
  | { type: 'gone'; from: number };
