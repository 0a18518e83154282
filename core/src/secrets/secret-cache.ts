import { createHmac, randomBytes } from 'node:crypto';

/**
 * Remembers for a while that a secret was seen, without keeping the secret. It keeps an
 * HMAC-SHA-256 under a key that exists only in the memory of this process. The number of entries is
 * limited; the oldest are dropped.
 */
export class SecretCache {
  readonly #key = randomBytes(32);
  readonly #expiry = new Map<string, number>();
  readonly #ttlMs: number;
  readonly #entries: number;
  readonly #now: () => number;

  constructor(options: { ttlMs: number; entries: number; now?: () => number }) {
    this.#ttlMs = options.ttlMs;
    this.#entries = options.entries;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Remembers these parts in this order for `ttlMs` from now. */
  add(...parts: string[]): void {
    const tag = this.#tag(parts);
    // Behind the others: a map keeps its order, so its first entry is the oldest
    this.#expiry.delete(tag);
    this.#expiry.set(tag, this.#now() + this.#ttlMs);
    const [oldest] = this.#expiry.keys();
    if (this.#expiry.size > this.#entries && oldest !== undefined) this.#expiry.delete(oldest);
  }

  /** True while exactly these parts are remembered. Asking does not extend the time. */
  has(...parts: string[]): boolean {
    const tag = this.#tag(parts);
    const expiry = this.#expiry.get(tag);
    if (expiry === undefined) return false;
    if (expiry > this.#now()) return true;
    this.#expiry.delete(tag);
    return false;
  }

  /** JSON keeps the parts apart: `['ab', 'c']` and `['a', 'bc']` differ. */
  #tag(parts: string[]): string {
    return createHmac('sha256', this.#key).update(JSON.stringify(parts)).digest('base64');
  }
}
