/**
 * A lane counts as down for this long after an attempt that reached none of its servers, or that
 * took minutes.
 */
const downMs = 30 * 60_000;
/** When more lanes are down, the one that was noted the longest ago is forgotten. */
const mostLanes = 10_000;

/**
 * Lanes whose servers were lately slow or out of reach. An attempt in such a lane occupies a
 * transfer for minutes, so these lanes get few transfers. Automatic messages have lanes of their
 * own: what they find out about a domain concerns them alone.
 */
export class DownLanes {
  /** When each lane was last found to be down, the longest ago first; by `performance.now()`. */
  readonly #since = new Map<string, number>();

  /** Notes whether an attempt reached a server of the lane, and in time. */
  note(lane: string, isReached: boolean, now = performance.now()): void {
    this.#since.delete(lane);
    if (isReached) return;
    this.#since.set(lane, now);
    const [oldest] = this.#since.keys();
    if (this.#since.size > mostLanes && oldest !== undefined) this.#since.delete(oldest);
  }

  has(lane: string, now = performance.now()): boolean {
    const since = this.#since.get(lane);
    return since !== undefined && now - since < downMs;
  }
}
