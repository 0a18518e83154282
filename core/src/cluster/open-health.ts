import { Registry } from 'prom-client';
import { log } from '../log.ts';
import { metrics, type MetricsJson } from '../metrics.ts';
import { type HealthChecks, type HealthReport, runChecks } from '../process/health.ts';
import { startHealthServer } from '../process/health-server.ts';
import { withDeadline } from '../with-deadline.ts';
import { isMember, onPrimary, tellPrimary } from './member.ts';

/**
 * Longer than the primary waits for a member that does not answer, and shorter than Prometheus
 * waits.
 */
const metricsLimitMs = 5_000;
let asked = 0;

/** Collects the metrics of the host as a whole. */
export type HostMetrics = () => Promise<Registry>;

/**
 * Lets others learn how this process is: at a port of its own, or, when it has a primary, through
 * that, which serves the port.
 */
export async function openHealth(options: {
  port: number;
  host: string;
  checks: HealthChecks;
  hostMetrics?: HostMetrics;
}): Promise<{ close(): Promise<void> }> {
  const { port, host, checks, hostMetrics } = options;
  const report = (): Promise<HealthReport> => runChecks(checks);
  if (isMember()) return { close: answerPrimary(report, hostMetrics) };
  return await startHealthServer({ port, host, source: { report, metrics: () => ownMetrics(hostMetrics) }, log });
}

/** Answers the primary's questions about this member until the returned function is called. */
export function answerPrimary(report: () => Promise<HealthReport>, hostMetrics?: HostMetrics): () => Promise<void> {
  const stop = onPrimary((message) => {
    if (message.type === 'ask_health') {
      void report().then((answer) => tellPrimary({ type: 'health', id: message.id, report: answer }));
    } else if (message.type === 'ask_metrics') {
      void metricsAsJson(message.ofHost ? hostMetrics : undefined).then((json) =>
        tellPrimary({ type: 'metrics', id: message.id, metrics: json }),
      );
    }
  });
  return () => Promise.resolve(stop());
}

async function metricsAsJson(hostMetrics?: HostMetrics): Promise<MetricsJson> {
  const ofHost = await hostMetrics?.();
  return [...(await metrics.getMetricsAsJSON()), ...((await ofHost?.getMetricsAsJSON()) ?? [])];
}

async function ownMetrics(hostMetrics?: HostMetrics): Promise<string> {
  const ofHost = await hostMetrics?.();
  return await (ofHost === undefined ? metrics : Registry.merge([metrics, ofHost])).metrics();
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
