import { addressProblem } from './address-rules.ts';
import type { HeaderFields } from './header-fields.ts';
import type { ListFields } from './parsed-message.ts';

const maxField = 8000;

/** Reads the header fields of lists. If a field is repeated, it is ambiguous and ignored. */
export function readListFields(fields: HeaderFields): ListFields {
  const only = (name: string) => (fields.count(name) === 1 ? fields.raw(name).slice(0, maxField) : '');
  const targetsOf = (name: string) => (fields.count(name) === 1 ? targetsIn(fields.text(name, maxField)) : []);
  const targets = targetsOf('list-unsubscribe');
  const id = /<([^<>\s]{1,255})>\s*$/.exec(only('list-id'))?.[1] ?? null;
  const https = targets.find((target) => /^https:\/\/[^/\\]/i.test(target) && URL.canParse(target)) ?? null;
  // The first of several addresses stands for all
  const mailto = targets.find((target) => addressOf(target.replace(/[,;].*/, '')) !== null) ?? null;
  const isOneClick = https !== null && /^\s*List-Unsubscribe=One-Click\s*$/i.test(only('list-unsubscribe-post'));
  const post = targetsOf('list-post').flatMap((target) => addressOf(target) ?? [])[0] ?? null;
  return { id, unsubscribe: { https, mailto, isOneClick }, post };
}

/**
 * The addresses in angle brackets. RFC 2369 2: white space within them means nothing. Servers break
 * a long one into lines, and Python's library makes encoded words of it.
 */
function targetsIn(text: string): string[] {
  const targets = Array.from(text.matchAll(/<([^<>]{1,4000})>/g), ([, target = '']) => target.replace(/\s+/g, ''));
  return targets.filter(({ length }) => length > 0 && length <= 2000);
}

/** The address in `mailto:list@x.test?subject=...`; null for `NO` and anything else. */
function addressOf(target: string): string | null {
  const text = /^mailto:([^?]{1,320})/i.exec(target)?.[1];
  if (text === undefined) return null;
  try {
    const address = decodeURIComponent(text);
    return addressProblem(address) === null ? address : null;
  } catch {
    // A percent sign that encodes nothing
    return null;
  }
}
