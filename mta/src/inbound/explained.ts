import type { App } from '@selvage/core/context/app';
import { refusalCode } from '@selvage/core/ledger/refusal-code';
import type { Reason } from '@selvage/core/ledger/reasons';
import { cutToBytes } from '@selvage/core/mail/cut-text';
import { newMailId } from '@selvage/core/mail/mail-id';
import { type Reply, replyLine } from '../reply.ts';
import { type HarakaConnection, rewriteReplies } from './haraka.ts';
import { runningApp } from './running-app.ts';

/** RFC 5321 4.5.3.1.5: 512 octets with the code, the space after it and the end of the line. */
const longestText = 512 - 6;
/**
 * Answers that belong to no message share one code for this long, so a flood of them makes no flood
 * of codes.
 */
const sharedMs = 60_000;

const shared = new Map<Reason, { until: number; page: string | null }>();

/**
 * Adds the address of the page that explains a reply (D65), if outside senders can open pages of
 * this host. A reply that accepts, or that has the address already, stays as it is.
 * @param mailId of the refused message in the ledger; undefined for a reply that belongs to no
 *   message
 */
export function explained(reply: Reply, mailId?: string): Reply {
  if (reply.code < 400) return reply;
  const app = runningApp();
  const site = siteOf(app);
  if (site === null || reply.text.includes(site)) return reply;
  const page = mailId === undefined ? sharedPage(app, site, reply.reason) : pageOf(app, site, reply.reason, mailId);
  if (page === null) return reply;
  const room = longestText - replyLine({ ...reply, text: '' }).length - page.length - 1;
  return { ...reply, text: `${cutToBytes(reply.text, room)} ${page}` };
}

let known = { url: '', site: null as string | null };

/**
 * The URL under which the explaining pages are; null when outside senders can't reach this host's
 * URL.
 */
function siteOf({ config: { url } }: App): string | null {
  if (known.url !== url) {
    const isOwnMachine = /^(?:(?:.*\.)?localhost|127\..*|\[::1\])$/.test(new URL(url).hostname);
    // A longer URL would leave no room for the reply itself
    known = { url, site: isOwnMachine || url.length > 300 ? null : `${url}/r/` };
  }
  return known.site;
}

function pageOf(app: App, site: string, reason: Reason, mailId: string): string | null {
  const code = refusalCode(app.secrets, reason, mailId);
  return code && site + code;
}

function sharedPage(app: App, site: string, reason: Reason): string | null {
  const now = Date.now();
  const recent = shared.get(reason);
  if (recent && recent.until > now) return recent.page;
  const page = pageOf(app, site, reason, newMailId(now));
  shared.set(reason, { until: now + sharedMs, page });
  return page;
}

/**
 * Adds the address of a page to the answers that Haraka gives without asking a plugin, such as
 * those to a broken command.
 */
export function explainOwnReplies(connection: HarakaConnection): void {
  rewriteReplies(connection, (code, text) => {
    const isOwn = code >= 400 && (typeof text === 'string' || Array.isArray(text));
    if (!isOwn) return null;
    const lines = Array.isArray(text) ? text.map(String) : text.split('\n');
    // Haraka's own texts have no enhanced code
    const last = { code, enhancedCode: '', text: lines.pop() ?? '', reason: reasonOf(code) };
    return { code, text: [...lines, explained(last).text] };
  });
}

function reasonOf(code: number): Reason {
  if (code === 421) return 'timeout';
  return code < 500 ? 'internal_error' : 'malformed_message';
}
