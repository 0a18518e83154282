/**
 * A domain counts as down for this long after an attempt that reached none of its servers, or that
 * took minutes.
 */
const downMs = 30 * 60_000;
/** When more domains are down, the one that was noted the longest ago is forgotten. */
const mostDomains = 10_000;

/**
 * Domains whose servers were lately slow or out of reach. An attempt at such a domain occupies a
 * transfer for minutes, so these domains get few transfers. Their names are what `organisationOf`
 * gives: what automatic messages find out about a domain concerns automatic messages alone.
 */
export class DownDomains {
  /** When each domain was last found to be down, the longest ago first; by `performance.now()`. */
  readonly #since = new Map<string, number>();

  /** Notes whether an attempt reached a server of the domain, and in time. */
  note(domain: string, isReached: boolean, now = performance.now()): void {
    this.#since.delete(domain);
    if (isReached) return;
    this.#since.set(domain, now);
    const [oldest] = this.#since.keys();
    if (this.#since.size > mostDomains && oldest !== undefined) this.#since.delete(oldest);
  }

  has(domain: string, now = performance.now()): boolean {
    const since = this.#since.get(domain);
    return since !== undefined && now - since < downMs;
  }
}
