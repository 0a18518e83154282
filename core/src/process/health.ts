import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Sequelize } from 'sequelize';
import { log } from '../log.ts';
import { withDeadline } from '../with-deadline.ts';
import { metrics as processMetrics } from '../metrics.ts';

/** Checks by name; a check throws when something is wrong. */
export type HealthChecks = Record<string, () => Promise<void>>;

/** What /health/ready answers. */
export interface HealthReport {
  ok: boolean;
  checks: Record<string, 'ok' | 'failed'>;
  /** The processes of this kind, when there are several. */
  pids?: number[];
}

const checkLimitMs = 3000;

/**
 * The checks of a process: the database must answer. Redis may be away, since mail flows without
 * it.
 */
export function healthChecks({ db }: { db: Sequelize }): HealthChecks {
  return {
    database: async () => {
      await db.query('SELECT 1');
    },
  };
}

/** Runs all checks at once, each within three seconds. */
export async function runChecks(checks: HealthChecks): Promise<HealthReport> {
  const names = Object.keys(checks);
  const results = await Promise.all(names.map(async (name) => [name, await runCheck(name, checks)] as const));
  return { ok: results.every(([, result]) => result === 'ok'), checks: Object.fromEntries(results) };
}

async function runCheck(name: string, checks: HealthChecks): Promise<'ok' | 'failed'> {
  try {
    await withDeadline(Promise.resolve(checks[name]?.()), checkLimitMs);
    return 'ok';
  } catch (error) {
    log.warn('health check failed', { check: name, error });
    return 'failed';
  }
}

/** Serves /health/live, /health/ready and /metrics. */
export async function startHealthServer(options: {
  port: number;
  host: string;
  report: () => Promise<HealthReport>;
  /** Gives the text format of Prometheus. */
  metrics: () => Promise<string>;
}): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    answer(request, response, options).catch((error: unknown) => {
      log.error('health request failed', { error });
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  source: { report: () => Promise<HealthReport>; metrics: () => Promise<string> },
): Promise<void> {
  const path = (request.url ?? '/').split('?')[0];
  if (path === '/health/live') return sendJson(response, 200, { ok: true });
  if (path === '/health/ready') {
    const report = await source.report();
    return sendJson(response, report.ok ? 200 : 503, report);
  }
  if (path === '/metrics') {
    const text = await source.metrics();
    response.writeHead(200, { 'Content-Type': processMetrics.contentType }).end(text);
    return;
  }
  sendJson(response, 404, { ok: false });
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify(body));
}
