import { AggregatorRegistry, Counter, Registry } from 'prom-client';
import type { MetricsJson } from '../metrics.ts';

/** Only these types add up over time; the gauge of a process ends with the process. */
const isCounted = ({ type }: MetricsJson[number]): boolean =>
  // A number in the types of prom-client, and its name in what it gives
  ['counter', 'histogram'].includes(String(type));

/**
 * What the members of a kind have counted. A member that ends takes its counters with it, and the
 * sum of all would go backwards, which Prometheus takes for a restart of everything. So the last
 * values of each member are kept: they stand in for a member that does not answer, and stay in the
 * sum when it has ended. What a member that died had counted since its last answer is lost.
 */
export class KeptMetrics {
  readonly #own = new Registry();
  readonly #deaths = new Counter({
    name: 'selvage_process_deaths_total',
    help: 'Processes that ended by themselves or were killed, and were started again',
    registers: [this.#own],
  });
  readonly #last = new Map<number, MetricsJson>();
  #ended: MetricsJson = [];

  /** Called when a member starts. Its answers count from then on. */
  begin(member: number): void {
    this.#last.set(member, []);
  }

  /** Notes the answer of a member. An answer that arrives after the member's end is dropped. */
  note(member: number, metrics: MetricsJson): void {
    if (this.#last.has(member)) this.#last.set(member, metrics.filter(isCounted));
  }

  /** Called when a member has ended. Its counters stay in the sum. */
  end(member: number): void {
    const last = this.#last.get(member);
    this.#last.delete(member);
    if (last !== undefined && last.length > 0) this.#ended = addUp([this.#ended, last]);
  }

  /** Counts a member that ended unexpectedly. */
  noteDeath(): void {
    this.#deaths.inc();
  }

  /** The sum of all members as Prometheus reads it, given the answers of those that run. */
  async sum(answers: ReadonlyMap<number, MetricsJson | null>): Promise<string> {
    const ofMembers = [...this.#last].map(([member, last]) => answers.get(member) ?? last);
    const all = [...ofMembers, this.#ended, await this.#own.getMetricsAsJSON()];
    return await AggregatorRegistry.aggregate(all).metrics();
  }
}

/** Adds metrics up, as JSON. A metric whose aggregator is `omit` is left out. */
function addUp(all: MetricsJson[]): MetricsJson {
  const registry = AggregatorRegistry.aggregate(all);
  return registry.getMetricsAsArray().map((metric) => (metric as unknown as { get(): MetricsJson[number] }).get());
}
