import { addressProblem } from '@selvage/core/mail/address-rules';
import type { PreparedMail } from '../../lib/prepared-mail.ts';
import { openCompose } from './compose/compose-store.ts';

const MOST_RECIPIENTS = 50;
const LONGEST_TEXT = 2000;

/**
 * The message that a `mailto:` link asks for (RFC 6068), or null without a valid address. Bcc and
 * other fields are ignored: a link must not add what its reader doesn't see.
 */
export function readMailto(href: string): PreparedMail | null {
  const [, path = '', query = ''] = /^mailto:([^?]*)\??([^#]*)/i.exec(href) ?? [];
  const fields = query.split('&').map((field) => {
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(field) ?? [];
    return { name: name.toLowerCase(), value };
  });
  const addressesIn = (name: string) =>
    fields.filter((field) => field.name === name).flatMap(({ value }) => addressesOf(value));
  const textOf = (name: string) =>
    decode(fields.find((field) => field.name === name)?.value ?? '').slice(0, LONGEST_TEXT);
  const to = [...new Set([...addressesOf(path), ...addressesIn('to')])].slice(0, MOST_RECIPIENTS);
  const cc = [...new Set(addressesIn('cc'))].slice(0, MOST_RECIPIENTS);
  if (to.length + cc.length === 0) return null;
  return { to, cc, subject: textOf('subject').replace(/\s+/g, ' '), text: textOf('body').replaceAll('\r\n', '\n') };
}

/** Opens the message that a link asks for, if it has a valid address. */
export function writeTo(href: string): void {
  const prepared = readMailto(href);
  if (prepared) openCompose({ kind: 'new', prepared });
}

/** Some programs write semicolons between the addresses, against RFC 6068. */
function addressesOf(list: string): string[] {
  return list
    .split(/[,;]/)
    .map((part) => decode(part).trim())
    .filter((address) => address !== '' && addressProblem(address) === null);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that encodes nothing: the text is meant as written
    return text;
  }
}
