import { AggregatorRegistry } from 'prom-client';
import { metrics, type MetricsJson } from '../metrics.ts';
import { type HealthChecks, type HealthReport, runChecks, startHealthServer } from '../process/health.ts';
import { withDeadline } from '../with-deadline.ts';
import { isMember, onPrimary, tellPrimary } from './member.ts';

const metricsLimitMs = 3_000;
let asked = 0;

/**
 * Lets others learn how this process is: at a port of its own, or, when it is one of several,
 * through the primary, which serves the port.
 */
export async function openHealth(options: {
  port: number;
  host: string;
  checks: HealthChecks;
}): Promise<{ close(): Promise<void> }> {
  const { port, host, checks } = options;
  if (!isMember()) return await startHealthServer({ port, host, report: () => runChecks(checks), metrics: ownMetrics });
  return { close: answerPrimary(() => runChecks(checks)) };
}

/** Answers the primary's questions about this member until the returned function is called. */
export function answerPrimary(report: () => Promise<HealthReport>): () => Promise<void> {
  const stop = onPrimary((message) => {
    if (message.type === 'ask_health') {
      void report().then((answer) => tellPrimary({ type: 'health', id: message.id, report: answer }));
    } else if (message.type === 'ask_metrics') {
      void metrics.getMetricsAsJSON().then((json) => tellPrimary({ type: 'metrics', id: message.id, metrics: json }));
    }
  });
  return () => Promise.resolve(stop());
}

function ownMetrics(): Promise<string> {
  return metrics.metrics();
}

/** The metrics of all processes of this kind, in the text format of Prometheus. */
export async function metricsOfAll(): Promise<string> {
  if (!isMember()) return await ownMetrics();
  const id = ++asked;
  const { promise, resolve } = Promise.withResolvers<string>();
  const stop = onPrimary((message) => {
    if (message.type === 'all_metrics' && message.id === id) resolve(message.text);
  });
  tellPrimary({ type: 'ask_all_metrics', id });
  try {
    return await withDeadline(promise, metricsLimitMs);
  } finally {
    stop();
  }
}

/** Adds up the metrics of several processes. */
export function sumMetrics(all: MetricsJson[]): Promise<string> {
  return AggregatorRegistry.aggregate(all).metrics();
}
