import { applyChanges } from '../cluster/apply-changes.ts';
import type { CountChange, ToMember, ToPrimary } from '../cluster/messages.ts';
import { isMember, onPrimary, tellPrimary } from '../cluster/member.ts';
import { type ConnectionCounts, type CountedKey, LocalConnectionCounts, largestOf } from './connection-counts.ts';

/**
 * How long a process waits until it tells the others what has changed. Until then, each process may
 * admit as many connections of a flood as a single process would.
 */
const tellAfterMs = 20;

/** How a process and its primary talk. */
interface Channel {
  tell(message: ToPrimary): void;
  hear(listener: (message: ToMember) => void): void;
}

/** Counts of a door over all processes of its kind. */
export class SharedConnectionCounts implements ConnectionCounts {
  readonly #door: string;
  readonly #own = new LocalConnectionCounts();
  /** By process and key. */
  readonly #others = new Map<number, Map<string, number>>();
  readonly #changed = new Set<string>();
  readonly #channel: Channel;
  #endOne: ((key: string) => void) | null = null;

  constructor(door: string, channel: Channel = { tell: tellPrimary, hear: onPrimary }) {
    this.#door = door;
    this.#channel = channel;
    channel.hear((message) => {
      if (message.type === 'counts' && message.door === door) this.#note(message.from, message.changes);
      else if (message.type === 'make_room' && message.door === door) this.#endOne?.(message.key);
      else if (message.type === 'gone') this.#others.delete(message.from);
    });
    channel.tell({ type: 'ask_counts', door });
  }

  of(key: string): number {
    let count = this.#own.of(key);
    for (const counts of this.#others.values()) count += counts.get(key) ?? 0;
    return count;
  }

  add(key: string): void {
    this.#own.add(key);
    this.#tellSoon(key);
  }

  remove(key: string): void {
    this.#own.remove(key);
    this.#tellSoon(key);
  }

  largest(beginning: string): CountedKey | null {
    return largestOf([this.#own.entries(), ...this.#others.values()], beginning);
  }

  makeRoomElsewhere(key: string): boolean {
    const isElsewhere = this.of(key) > this.#own.of(key);
    if (isElsewhere) this.#channel.tell({ type: 'make_room', door: this.#door, key });
    return isElsewhere;
  }

  onMakeRoom(end: (key: string) => void): void {
    this.#endOne = end;
  }

  #note(from: number, changes: readonly CountChange[]): void {
    const counts = this.#others.get(from) ?? new Map<string, number>();
    applyChanges(counts, changes);
    this.#others.set(from, counts);
  }

  #tellSoon(key: string): void {
    if (this.#changed.size === 0) setTimeout(() => this.#tell(), tellAfterMs).unref();
    this.#changed.add(key);
  }

  #tell(): void {
    const changes = [...this.#changed].map((key): CountChange => [key, this.#own.of(key)]);
    this.#changed.clear();
    this.#channel.tell({ type: 'counts', door: this.#door, changes });
  }
}

/** The counts of a door: over all processes when there are several. */
export function connectionCounts(door: string): ConnectionCounts {
  return isMember() ? new SharedConnectionCounts(door) : new LocalConnectionCounts();
}
