import { asciiDomain } from './addresses.ts';
import { bodyOffset } from './crlf.ts';

/**
 * Header and body of a message, or of its beginning, without the fields that `removeForgedResults`
 * removes.
 */
export function withoutForgedResults(raw: Buffer, hostname: string): [header: Buffer, body: Buffer] {
  const bodyAt = bodyOffset(raw);
  return [removeForgedResults(raw.subarray(0, bodyAt), hostname), raw.subarray(bodyAt)];
}

/**
 * A header block without the Authentication-Results fields that claim to be from this host (RFC
 * 8601 5). This host's own results are in the trace headers. Such a field in a message is forged by
 * its sender, and a reader's program would believe it. Results of other hosts stay, since they
 * claim nothing in this host's name.
 * @param header lines that end with CRLF, with or without the blank line
 */
export function removeForgedResults(header: Buffer, hostname: string): Buffer {
  const text = header.toString('latin1');
  if (!/^authentication-results/im.test(text)) return header;
  const fields = text.split(/(?<=\r?\n)(?![ \t])/);
  return Buffer.from(fields.filter((field) => !claims(field, hostname)).join(''), 'latin1');
}

function claims(field: string, hostname: string): boolean {
  const value = /^authentication-results[ \t]*:(.*)/is.exec(field)?.[1];
  if (value === undefined) return false;
  // RFC 8601 2.2: after white space and comments comes a token or a quoted string, then optionally
  // a version
  const text = withoutComments(value).trimStart();
  const quoted = /^"((?:[^"\\]|\\.)*)"/s.exec(text)?.[1]?.replace(/\\(.)/gs, '$1');
  const name = quoted ?? /^[^\s;/]*/.exec(text)?.[0] ?? '';
  return isSameHost(Buffer.from(name, 'latin1').toString(), hostname);
}

function isSameHost(name: string, hostname: string): boolean {
  const plain = name.replace(/\s+/g, '').replace(/\.$/, '');
  return (asciiDomain(plain) ?? plain.toLowerCase()) === (asciiDomain(hostname) ?? hostname.toLowerCase());
}

/** The text with each comment (RFC 5322 3.2.2, also nested ones) replaced by a space. */
function withoutComments(text: string): string {
  const out: string[] = [];
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? '';
    if (sign === '\\') {
      if (depth === 0) out.push(text.slice(at, at + 2));
      at++;
    } else if (isQuoted || (sign !== '(' && (sign !== ')' || depth === 0))) {
      if (sign === '"' && depth === 0) isQuoted = !isQuoted;
      if (depth === 0) out.push(sign);
    } else {
      depth += sign === '(' ? 1 : -1;
      if (depth === 0) out.push(' ');
    }
  }
  return out.join('');
}
