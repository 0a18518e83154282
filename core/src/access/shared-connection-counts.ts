import { applyChanges } from '../processes/apply-changes.ts';
import type { CountChange } from '../processes/messages.ts';
import { isMember, onPrimary, tellPrimary } from '../processes/member.ts';
import { type ConnectionCounts, LocalConnectionCounts } from './connection-counts.ts';

/**
 * How often a process tells the others what has changed. Within this time a flood may get as many
 * connections from each process as it would from a single one.
 */
const tellAfterMs = 20;

/** Counts of a door over all processes of its kind. */
export class SharedConnectionCounts implements ConnectionCounts {
  readonly #door: string;
  readonly #own = new LocalConnectionCounts();
  /** By process and key. */
  readonly #others = new Map<number, Map<string, number>>();
  readonly #changed = new Set<string>();

  constructor(door: string) {
    this.#door = door;
    onPrimary((message) => {
      if (message.type === 'counts' && message.door === door) this.#note(message.from, message.changes);
      else if (message.type === 'gone') this.#others.delete(message.from);
    });
    tellPrimary({ type: 'ask_counts', door });
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
    tellPrimary({ type: 'counts', door: this.#door, changes });
  }
}

/** The counts of a door: over all processes when there are several. */
export function connectionCounts(door: string): ConnectionCounts {
  return isMember() ? new SharedConnectionCounts(door) : new LocalConnectionCounts();
}
