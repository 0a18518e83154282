import { notFound } from '@selvage/core/errors';
import type { App } from '@selvage/core/context/app';
import { healthChecks, runChecks } from '@selvage/core/process/health';
import { metrics } from '@selvage/core/metrics';
import { metricsOfAll } from '@selvage/core/cluster/open-health';
import type { Middleware } from 'koa';
import { isLocalRequest } from '../http/request-context.ts';

/**
 * Answers supervisors and monitoring. Only callers on this machine may read metrics, since these
 * show how much mail a host has.
 */
export function healthRoutes(app: App): Middleware {
  const checks = healthChecks(app);
  return async (koa, next) => {
    if (koa.path === '/health/live') {
      koa.body = { ok: true };
    } else if (koa.path === '/health/ready') {
      const report = await runChecks(checks);
      koa.status = report.ok ? 200 : 503;
      koa.body = report;
    } else if (koa.path === '/metrics') {
      if (!isLocalRequest(koa)) throw notFound('path', 'There is nothing at this address.');
      koa.body = await metricsOfAll();
      koa.set('Content-Type', metrics.contentType);
    } else {
      return await next();
    }
    koa.set('Cache-Control', 'no-store');
  };
}
