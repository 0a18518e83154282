import cluster from 'node:cluster';
import { applyChanges } from './apply-changes.ts';
import type { ToMember, ToPrimary } from './messages.ts';
import { tell } from './tell-member.ts';

type Counts = Extract<ToMember, { type: 'counts' }>;

/** What the primary knows of the connections of its members, which it passes on to the others. */
export class CountRelay {
  /** Counts by member, door and key. */
  readonly #known = new Map<number, Map<string, Map<string, number>>>();

  /** Notes what has changed in a member and tells the others. */
  note(from: number, { door, changes }: Extract<ToPrimary, { type: 'counts' }>): void {
    const doors = this.#known.get(from) ?? new Map<string, Map<string, number>>();
    const counts = doors.get(door) ?? new Map<string, number>();
    this.#known.set(from, doors.set(door, counts));
    applyChanges(counts, changes);
    tellOthers(from, { type: 'counts', from, door, changes });
  }

  /** What a member that begins must know of a door: the counts of each other member. */
  of(door: string, member: number): Counts[] {
    return [...this.#known]
      .filter(([from]) => from !== member)
      .map(([from, doors]) => ({ type: 'counts', from, door, changes: [...(doors.get(door) ?? [])] }));
  }

  /** Forgets a member that has ended, and its connections with it. */
  forget(from: number): void {
    if (this.#known.delete(from)) tellOthers(from, { type: 'gone', from });
  }
}

function tellOthers(from: number, message: ToMember): void {
  for (const worker of Object.values(cluster.workers ?? {})) {
    if (worker && worker.id !== from) tell(worker, message);
  }
}
