import { parse } from 'tldts';

/** A link whose text names another host than it leads to. */
export interface LyingLink {
  /** Registrable domains, in ASCII. */
  named: string;
  actual: string;
}

const mostLinks = 2000;
const mostFound = 10;

/**
 * The links of a text whose whole words are an address of the web, and whose target is at another
 * domain. A target that has the named host in it is a detour, as counters of clicks and filters
 * make it, and no lie. A text with more than 2000 links is looked at in part.
 * @param html as the sanitiser writes it
 */
export function findLyingLinks(html: string): LyingLink[] {
  const found = new Map<string, LyingLink>();
  let seen = 0;
  let open: { href: string; from: number } | null = null;
  for (const { 0: tag, 1: attributes = '', index } of html.matchAll(/<\/?a\b([^<>]*)>/gi)) {
    // As in a browser, the next link ends one that was left open
    const link = open && judgeLink(open.href, html.slice(open.from, index));
    if (link) found.set(`${link.named} ${link.actual}`, link);
    const [, href] = /\shref="(https?:[^"]+)"/i.exec(attributes) ?? [];
    open = href === undefined ? null : { href: href.replaceAll('&amp;', '&'), from: index + tag.length };
    if (found.size >= mostFound || (open && ++seen > mostLinks)) break;
  }
  return [...found.values()];
}

function judgeLink(href: string, words: string): LyingLink | null {
  const text = words
    .replace(/<[^<>]*>/g, '')
    // What is not seen would hide the address
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replaceAll('&amp;', '&')
    .trim();
  const [, host = ''] = /^(?:https?:\/\/)?((?:[a-z0-9-]+\.)+[a-z]{2,24})(?::\d+)?(?:[/?#]\S*)?$/i.exec(text) ?? [];
  if (host === '' || !URL.canParse(href)) return null;
  const named = parse(host, { allowPrivateDomains: true });
  const actual = parse(new URL(href).hostname, { allowPrivateDomains: true });
  // A file's name such as `report.zip` looks like a host, but a bare one names no place of the web
  const isAddress = /^(?:https?:\/\/|www\.)/i.test(text);
  if (!isAddress || !named.isIcann || named.domain === null || named.domain === actual.domain) return null;
  if (href.toLowerCase().includes(named.domain)) return null;
  return { named: named.domain, actual: actual.domain ?? new URL(href).hostname };
}
