import { applyChanges } from './apply-changes.ts';
import type { ToMember, ToPrimary } from './messages.ts';

type Counts = Extract<ToMember, { type: 'counts' }>;

/** A member that counts connections. */
interface Counting {
  readonly id: number;
  tell(message: ToMember): void;
}

/**
 * The primary's counts of the connections of its members. It passes them on to the other members.
 */
export class CountRelay {
  readonly #members: Iterable<Counting>;
  /** Counts by member, door and key. */
  readonly #known = new Map<number, Map<string, Map<string, number>>>();

  /** @param members those of one program: another one has doors of its own */
  constructor(members: Iterable<Counting>) {
    this.#members = members;
  }

  /** Notes what has changed in a member and tells the others. */
  note(from: number, { door, changes }: Extract<ToPrimary, { type: 'counts' }>): void {
    const doors = this.#known.get(from) ?? new Map<string, Map<string, number>>();
    const counts = doors.get(door) ?? new Map<string, number>();
    this.#known.set(from, doors.set(door, counts));
    applyChanges(counts, changes);
    this.#tellOthers(from, { type: 'counts', from, door, changes });
  }

  /** Lets another member, the one with the most connections of a key, end one of them. */
  makeRoom(from: number, { door, key }: Extract<ToPrimary, { type: 'make_room' }>): void {
    const countOf = ({ id }: Counting) => this.#known.get(id)?.get(door)?.get(key) ?? 0;
    const others = [...this.#members].filter((member) => member.id !== from && countOf(member) > 0);
    const [most] = others.toSorted((one, other) => countOf(other) - countOf(one));
    most?.tell({ type: 'make_room', door, key });
  }

  /** The counts of the other members at a door, for a member that starts. */
  of(door: string, member: number): Counts[] {
    return [...this.#known]
      .filter(([from]) => from !== member)
      .map(([from, doors]) => ({ type: 'counts', from, door, changes: [...(doors.get(door) ?? [])] }));
  }

  /** Forgets a member that has ended, and its connections with it. */
  forget(from: number): void {
    if (this.#known.delete(from)) this.#tellOthers(from, { type: 'gone', from });
  }

  #tellOthers(from: number, message: ToMember): void {
    for (const member of this.#members) if (member.id !== from) member.tell(message);
  }
}
