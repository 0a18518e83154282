import { RecentCache } from '../recent-cache.ts';

/** A stranger decides how large answers are, so the memory is bounded by bytes. */
const mostBytes = 8_388_608;

/** About how many bytes a kept answer takes besides its texts. */
const bytesAround = 200;

type Outcome = { answer: unknown } | { error: unknown };

interface Kept {
  /** From `performance.now()`, since the wall clock may be ahead and then put right. */
  until: number;
  outcome: Outcome;
}

/**
 * Caches recent answers, including that a name or record does not exist (RFC 2308). It also shares
 * look-ups under way, so that a burst of callers asks once. A temporary failure is never cached: a
 * retry must see that the name server is back.
 */
export class AnswerCache {
  readonly #kept = new RecentCache<Kept>(mostBytes);
  readonly #underWay = new Map<string, Promise<unknown>>();
  readonly #lifeMs: number;
  readonly #isLasting: (error: unknown) => boolean;

  /**
   * @param lifeMs how long an answer is cached; 0 turns the cache off
   * @param isLasting whether a failure is a definite answer, which is cached as well
   */
  constructor(lifeMs: number, isLasting: (error: unknown) => boolean) {
    this.#lifeMs = lifeMs;
    this.#isLasting = isLasting;
  }

  /**
   * Each caller gets a copy, so that a caller that sorts its answer does not change that of the
   * others.
   */
  async remember<T>(key: string, lookUp: () => Promise<T>): Promise<T> {
    if (this.#lifeMs === 0) return await lookUp();
    const kept = this.#kept.get(key);
    const known = kept !== undefined && kept.until > performance.now() ? kept.outcome : undefined;
    if (known !== undefined && 'error' in known) throw known.error;
    const answer = known === undefined ? await this.#join(key, lookUp) : known.answer;
    return copyOf(answer) as T;
  }

  /** The answer of a look-up that is under way, or of a new one. */
  #join(key: string, lookUp: () => Promise<unknown>): Promise<unknown> {
    const known = this.#underWay.get(key);
    if (known !== undefined) return known;
    const until = performance.now() + this.#lifeMs;
    const begun = this.#keep(key, until, lookUp()).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, begun);
    return begun;
  }

  async #keep(key: string, until: number, looking: Promise<unknown>): Promise<unknown> {
    try {
      const answer = await looking;
      this.#set(key, { until, outcome: { answer } }, bytesOf(answer));
      return answer;
    } catch (error) {
      if (this.#isLasting(error)) this.#set(key, { until, outcome: { error } }, 0);
      throw error;
    }
  }

  #set(key: string, kept: Kept, bytes: number): void {
    this.#kept.set(key, kept, bytesAround + key.length + bytes);
  }
}

/** Answers are texts, records, and lists of them. `structuredClone` takes several times as long. */
function copyOf(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(copyOf);
  return typeof answer === 'object' && answer !== null ? { ...answer } : answer;
}

/** About how much memory an answer takes. */
function bytesOf(answer: unknown): number {
  if (typeof answer === 'string') return 24 + answer.length;
  if (typeof answer !== 'object' || answer === null) return 8;
  return Object.values(answer).reduce((sum: number, part) => sum + 8 + bytesOf(part), 40);
}
