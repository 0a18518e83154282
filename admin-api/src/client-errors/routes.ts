import { reportClientError } from '@selvage/core/contracts/client-errors';
import type { InferBody } from '@selvage/core/contracts/endpoint';
import { log } from '@selvage/core/log';
import { clientErrors } from '@selvage/core/metrics';
import { networkOf } from '@selvage/core/access/network-of';
import { countAttempt, type Rule } from '../auth/throttle.ts';
import { type ApiRouter, route } from '../http/route.ts';

// Any browser can make this call, including an attacker's. So it may write only little into the
// log, and nothing while Redis can't count the calls.
const ofNetwork: Rule = { name: 'client-errors', limit: 20, windowSeconds: 60, failClosed: true };
const ofAll: Rule = { name: 'client-errors-all', limit: 300, windowSeconds: 60, failClosed: true };

/** Binds the call by which browsers report failures of the web app. */
export function bindClientErrors(router: ApiRouter): void {
  route(
    router,
    reportClientError,
    async (_ctx, { body, koa }) => {
      clientErrors.inc();
      log.warn('the web app failed in a browser', presentReport(body, koa.get('user-agent')));
    },
    {
      before: async (ctx) => {
        await countAttempt(ctx.app, ofNetwork, networkOf(ctx.address));
        await countAttempt(ctx.app, ofAll, 'host');
      },
    },
  );
}

function presentReport(report: InferBody<typeof reportClientError>, userAgent: string): Record<string, string> {
  return {
    clientMessage: plain(report.message, 500),
    clientStack: plain(report.stack ?? '', 3000),
    clientPath: plain(report.path.replace(/[?#].*$/s, ''), 200),
    clientVersion: plain(report.version, 100),
    userAgent: plain(userAgent, 200),
  };
}

/**
 * A reported text, made safe for a log line. Characters that break the line or change its direction
 * are replaced. Addresses are cut before `?` and `#`, since the rest may be a secret, as in a link
 * that sets a password.
 */
function plain(text: string, length: number): string {
  return text
    .replaceAll(/https?:\/\/\S*/gi, (address) => address.replaceAll(/[?#][^)]*/g, ''))
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .slice(0, length)
    .toWellFormed()
    .trim();
}
