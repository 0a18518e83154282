import type { App } from '@selvage/core/context/app';
import { stsPolicy } from '@selvage/core/domain-check/sts-policy';
import { badRequest, notFound } from '@selvage/core/errors';
import { parseAddress } from '@selvage/core/mail/addresses';
import type { Context, Middleware } from 'koa';
import { leadsHere } from './certificate-names.ts';
import { HostedDomains } from './hosted-domains.ts';
import { namedHost, prefixes } from './named-host.ts';
import { addressInRequest, autoconfigXml, autodiscoverXml } from './program-settings.ts';
import { readSmallBody } from './read-small-body.ts';

type Answer = (koa: Context) => Promise<void>;

/**
 * How long caches may keep an answer: long enough for a burst of requests, short enough for a
 * change to show soon.
 */
const cacheControl = 'public, max-age=300';
/** A request from Outlook has some hundred bytes. */
const maxRequestBytes = 8192;

/**
 * Answers the requests of mail programs and other mail servers about a hosted domain, at names
 * below it (D38). No answer is secret or shows which mailboxes exist. Only these routes depend on
 * the Host header: the web app and the API answer at any name.
 */
export function wellKnownRoutes(app: App): Middleware {
  const answers = answersOf(app, new HostedDomains());
  return async (koa, next) => {
    // Outlook writes the same path with different capitals
    const method = koa.method === 'HEAD' ? 'GET' : koa.method;
    const answer = answers.get(`${method} ${koa.path.toLowerCase()}`);
    if (!answer) return await next();
    await answer(koa);
  };
}

function answersOf(app: App, domains: HostedDomains): Map<string, Answer> {
  const autoconfig: Answer = (koa) => answerAutoconfig(app, domains, koa);
  return new Map<string, Answer>([
    ['GET /.well-known/mta-sts.txt', (koa) => answerPolicy(app, domains, koa)],
    ['GET /mail/config-v1.1.xml', autoconfig],
    ['GET /.well-known/autoconfig/mail/config-v1.1.xml', autoconfig],
    ['POST /autodiscover/autodiscover.xml', (koa) => answerAutodiscover(app, domains, koa)],
    ['GET /internal/certificate-names', (koa) => answerCertificateName(app, domains, koa)],
  ]);
}

const nothingHere = () => notFound('path', 'There is nothing at this address.');

/** The MTA-STS policy of a domain, which has its own host name (RFC 8461 3.3). */
async function answerPolicy({ config }: App, domains: HostedDomains, koa: Context): Promise<void> {
  const host = namedHost(koa.get('host'));
  if (host?.prefix !== 'mta-sts' || (await domains.find(koa, host.domain)) === null) throw nothingHere();
  koa.set('Cache-Control', cacheControl);
  koa.type = 'text/plain; charset=utf-8';
  koa.body = stsPolicy(config);
}

/**
 * The settings for a mail program. It sends the email address, uses the autoconfig name of the
 * domain, or does both.
 */
async function answerAutoconfig({ config }: App, domains: HostedDomains, koa: Context): Promise<void> {
  const typed = koa.query['emailaddress'];
  const host = namedHost(koa.get('host'));
  const own = host?.prefix === 'autoconfig' ? host.domain : null;
  const asked = (typeof typed === 'string' ? parseAddress(typed)?.domain : null) ?? own;
  const domain = asked === null ? null : await domains.find(koa, asked);
  if (domain === null) throw nothingHere();
  koa.set('Cache-Control', cacheControl);
  koa.type = 'text/xml; charset=utf-8';
  koa.body = autoconfigXml(config, domain);
}

async function answerAutodiscover({ config }: App, domains: HostedDomains, koa: Context): Promise<void> {
  const limits = { bytes: maxRequestBytes, ms: config.requestTimeoutSeconds * 1000 };
  const typed = addressInRequest(await readSmallBody(koa, limits));
  const parsed = typed === null ? null : parseAddress(typed);
  if (!parsed) throw badRequest('The request names no email address.', 'malformed_body');
  if ((await domains.find(koa, parsed.domain)) === null) throw nothingHere();
  koa.set('Cache-Control', 'no-store');
  koa.type = 'text/xml; charset=utf-8';
  koa.body = autodiscoverXml(config, parsed.address);
}

/**
 * Tells the reverse proxy for which names to get certificates. Only the proxy itself gets an
 * answer: requests that it forwards have a forwarding header.
 */
async function answerCertificateName(app: App, domains: HostedDomains, koa: Context): Promise<void> {
  const isHandedOn = koa.get('x-forwarded-for') !== '' || koa.get('forwarded') !== '';
  const typed = koa.query['domain'];
  if (isHandedOn || typeof typed !== 'string') throw nothingHere();
  // Caddy asks about the host's own name if that is not public, such as mail.localhost
  const isOwn = typed.toLowerCase() === app.config.hostname;
  if (!isOwn && !(await isNameOfDomain(app, domains, koa, typed))) throw nothingHere();
  koa.set('Cache-Control', 'no-store');
  koa.body = { ok: true };
}

/** Whether the name is one of those below a hosted domain that resolve to this host. */
async function isNameOfDomain(app: App, domains: HostedDomains, koa: Context, name: string): Promise<boolean> {
  const host = namedHost(name);
  if (!host || !prefixes.includes(host.prefix)) return false;
  const domain = await domains.find(koa, host.domain);
  return domain !== null && (await leadsHere(app, `${host.prefix}.${domain}`));
}
