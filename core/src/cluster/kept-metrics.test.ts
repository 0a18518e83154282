import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { beforeEach, describe, expect, it } from 'vitest';
import type { MetricsJson } from '../metrics.ts';
import { KeptMetrics } from './kept-metrics.ts';

/** A member that counts, waits and measures. */
function memberWith({ mails, waiting, took }: { mails: number; waiting: number; took: number }): Promise<MetricsJson> {
  const registry = new Registry();
  const registers = [registry];
  new Counter({ name: 'mails_total', help: 'Mails', labelNames: ['event'], registers }).inc({ event: 'stored' }, mails);
  new Gauge({ name: 'waiting', help: 'Waiting', registers }).set(waiting);
  new Histogram({ name: 'took_seconds', help: 'Time', buckets: [1, 5], registers }).observe(took);
  return registry.getMetricsAsJSON();
}

let kept: KeptMetrics;
let first: MetricsJson;
let second: MetricsJson;

/** The value of a line of the sum. */
async function valueOf(line: string, answers: [number, MetricsJson | null][]): Promise<number | undefined> {
  const text = await kept.sum(new Map(answers));
  const found = text.split('\n').find((one) => one.startsWith(`${line} `));
  return found === undefined ? undefined : Number(found.slice(line.length + 1));
}

const mails = 'mails_total{event="stored"}';

beforeEach(async () => {
  kept = new KeptMetrics();
  first = await memberWith({ mails: 5, waiting: 2, took: 0.5 });
  second = await memberWith({ mails: 3, waiting: 1, took: 3 });
  kept.begin(1);
  kept.begin(2);
  kept.note(1, first);
  kept.note(2, second);
});

describe('metrics of several processes', () => {
  it('are added up', async () => {
    const answers: [number, MetricsJson][] = [
      [1, first],
      [2, second],
    ];
    expect(await valueOf(mails, answers)).toBe(8);
    expect(await valueOf('waiting', answers)).toBe(3);
    expect(await valueOf('took_seconds_bucket{le="1"}', answers)).toBe(1);
    expect(await valueOf('took_seconds_count', answers)).toBe(2);
  });

  it('keep what a process has counted when it ends, and forget what it held', async () => {
    kept.end(1);
    expect(await valueOf(mails, [[2, second]])).toBe(8);
    expect(await valueOf('waiting', [[2, second]])).toBe(1);
    expect(await valueOf('took_seconds_sum', [[2, second]])).toBe(3.5);
    kept.end(2);
    kept.begin(3);
    kept.note(3, first);
    expect(await valueOf(mails, [[3, first]])).toBe(13);
    expect(await valueOf('took_seconds_bucket{le="+Inf"}', [[3, first]])).toBe(3);
  });

  it('do not go back while a process gives no answer', async () => {
    const silent: [number, MetricsJson | null][] = [
      [1, null],
      [2, second],
    ];
    expect(await valueOf(mails, silent)).toBe(8);
    expect(await valueOf('waiting', silent)).toBe(1);
  });

  it('count nothing twice when an answer comes behind the end of its process', async () => {
    kept.end(1);
    kept.note(1, first);
    kept.end(1);
    expect(await valueOf(mails, [[2, second]])).toBe(8);
  });

  it('say how many processes died', async () => {
    expect(await valueOf('selvage_process_deaths_total', [])).toBe(0);
    kept.noteDeath();
    expect(await valueOf('selvage_process_deaths_total', [])).toBe(1);
  });
});
