import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import type { LogWriter } from '../log.ts';
import type { HealthReport } from './health.ts';

/** The source of the answers of the health server. */
export interface HealthSource {
  report(): Promise<HealthReport>;
  /** Gives the text format of Prometheus. */
  metrics(): Promise<string>;
}

export interface HealthServerOptions {
  port: number;
  host: string;
  source: HealthSource;
  log: LogWriter;
}

/** Serves /health/live, /health/ready and /metrics. */
export async function startHealthServer(
  options: HealthServerOptions,
): Promise<{ port: number; close(): Promise<void> }> {
  const { port, host, source, log } = options;
  const server = createServer((request, response) => {
    answer(request, response, source).catch((error: unknown) => {
      log.error('health request failed', { error });
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, source: HealthSource): Promise<void> {
  const path = (request.url ?? '/').split('?')[0];
  if (path === '/health/live') return sendJson(response, 200, { ok: true });
  if (path === '/health/ready') {
    const report = await source.report();
    return sendJson(response, report.ok ? 200 : 503, report);
  }
  if (path === '/metrics') {
    const text = await source.metrics();
    response.writeHead(200, { 'Content-Type': Registry.PROMETHEUS_CONTENT_TYPE }).end(text);
    return;
  }
  sendJson(response, 404, { ok: false });
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify(body));
}
