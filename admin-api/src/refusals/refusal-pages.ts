import type { App } from '@selvage/core/context/app';
import { networkOf } from '@selvage/core/access/network-of';
import { consume } from '@selvage/core/access/rate-limit';
import { type ReadCode, readRefusalCode } from '@selvage/core/ledger/refusal-code';
import { refusedDomain } from '@selvage/core/ledger/refused-domain';
import { log } from '@selvage/core/log';
import { withDeadline } from '@selvage/core/with-deadline';
import type { Context, Middleware } from 'koa';
import { contextOf } from '../http/request-context.ts';
import { sitePolicy } from '../static/serve-public-site.ts';
import { HostedDomains } from '../well-known/hosted-domains.ts';
import { drawPage } from './draw-page.ts';
import { pageWords, refusalTexts } from './page-texts.ts';

/** How many of these pages one network may open, whether their codes are valid or not. */
const perNetwork = { limit: 60, windowSeconds: 60 };
/** How long to wait for the domain. The page needs the database for nothing else. */
const domainMs = 2000;

/**
 * Explains why a message was refused to a reader who has the code from the SMTP reply (D65). An
 * invented code and an expired one get the same page.
 */
export function refusalPages(app: App): Middleware {
  const domains = new HostedDomains();
  return async (koa, next) => {
    const code = ['GET', 'HEAD'].includes(koa.method) ? /^\/r\/([^/]*)\/?$/.exec(koa.path)?.[1] : undefined;
    if (code === undefined) return await next();
    koa.set('Content-Security-Policy', sitePolicy);
    koa.set('Cache-Control', 'no-store');
    koa.set('X-Robots-Tag', 'noindex, nofollow');
    koa.type = 'text/html; charset=utf-8';
    const { address } = contextOf(koa);
    const { allowed, retryAfterSeconds } = await consume(app.redis, `refusal-page:${networkOf(address)}`, perNetwork);
    const read = allowed ? readRefusalCode(app.secrets, code) : null;
    if (!allowed) {
      koa.status = 429;
      koa.set('Retry-After', String(retryAfterSeconds));
      koa.body = drawOther(app, pageWords.busyTitle, pageWords.busyWhy);
    } else if (!read || read.isOver) {
      koa.status = 404;
      koa.body = drawOther(app, pageWords.unknownTitle, pageWords.unknownWhy);
    } else {
      koa.status = 200;
      koa.body = drawRefusal(app, read, code.toLowerCase(), await domainOf(koa, domains, read));
    }
  };
}

/**
 * The recipient's domain, if this host has it. The sender can choose any other domain, and this
 * host must not repeat such a text on its page.
 */
async function domainOf(koa: Context, domains: HostedDomains, read: ReadCode): Promise<string | null> {
  const find = async () => {
    const named = await refusedDomain(contextOf(koa), read);
    return named === null ? null : await domains.find(koa, named);
  };
  try {
    return await withDeadline(find(), domainMs);
  } catch (error) {
    log.warn('the domain of a refused message could not be looked up', { error });
    return null;
  }
}

const contact = { title: pageWords.contact, before: pageWords.write, after: '' };

function drawOther({ config: { hostname } }: App, title: string, why: string): string {
  return drawPage({ hostname, title, paragraphs: [why], contact });
}

function drawRefusal({ config }: App, { reason, at }: ReadCode, code: string, domain: string | null): string {
  const text = refusalTexts[reason];
  const size = `${Math.floor(config.maxMessageBytes / 1_000_000)} MB`;
  return drawPage({
    hostname: config.hostname,
    kicker: pageWords.was,
    title: text.title,
    fate: { text: text.isFinal ? pageWords.failed : pageWords.waits, isFinal: text.isFinal },
    paragraphs: [text.why],
    list: { title: pageWords.advice, items: text.advice.map((line) => line.replace('{size}', size)) },
    facts: {
      title: pageWords.facts,
      rows: [
        [pageWords.when, hourOf(at)],
        ...(domain === null ? [] : [[pageWords.domain, domain] as const]),
        [pageWords.code, code],
      ],
    },
    contact: { ...contact, after: pageWords.quote },
    end: pageWords.gone,
  });
}

const dayForm = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/**
 * `23 November 2026, between 9:00 and 10:00 UTC`: precise enough to find the message, and no more.
 */
function hourOf(at: Date): string {
  const hour = at.getUTCHours();
  return `${dayForm.format(at)}, between ${hour}:00 and ${hour + 1}:00 UTC`;
}
