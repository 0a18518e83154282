import { parse } from 'tldts';

/** A link whose text names another host than its target. */
export interface LyingLink {
  /** Registrable domains, in ASCII. */
  named: string;
  actual: string;
}

const mostLinks = 2000;
const mostFound = 10;

/**
 * Finds the links of a text whose words are a web address, and whose target is at another domain.
 * If the target contains the named host, the link goes through a click counter or a filter, and is
 * not reported. Only the first 2000 links of a text are checked.
 * @param html the output of the sanitiser
 */
export function findLyingLinks(html: string): LyingLink[] {
  const found = new Map<string, LyingLink>();
  let seen = 0;
  let open: { href: string; from: number } | null = null;
  for (const { 0: tag, 1: attributes = '', index } of html.matchAll(/<\/?a\b([^<>]*)>/gi)) {
    // As in a browser, the next link ends an unclosed one
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
    // Invisible characters would hide the address
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replaceAll('&amp;', '&')
    .trim();
  const [, host = ''] = /^(?:https?:\/\/)?((?:[a-z0-9-]+\.)+[a-z]{2,24})(?::\d+)?(?:[/?#]\S*)?$/i.exec(text) ?? [];
  if (host === '' || !URL.canParse(href)) return null;
  const named = parse(host, { allowPrivateDomains: true });
  const actual = parse(new URL(href).hostname, { allowPrivateDomains: true });
  // A file name such as `report.zip` looks like a host, so a bare name does not count as an address
  const isAddress = /^(?:https?:\/\/|www\.)/i.test(text);
  if (!isAddress || !named.isIcann || named.domain === null || named.domain === actual.domain) return null;
  if (href.toLowerCase().includes(named.domain)) return null;
  return { named: named.domain, actual: actual.domain ?? new URL(href).hostname };
}
