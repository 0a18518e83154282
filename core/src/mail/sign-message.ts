import { isUtf8 } from 'node:buffer';
import type { KeyObject } from 'node:crypto';
import { createRequire } from 'node:module';
import { bodyOffset } from './crlf.ts';

/** Which key signs, and for which domain. */
export interface SigningKey {
  domain: string;
  selector: string;
  /** PKCS#8 PEM, or the same opened. */
  privateKey: KeyObject | string;
}

interface DkimSigner {
  DKIMSign(email: string, options: object): string;
  DKIMCanonicalizer: {
    relaxedBody: () => Buffer;
    relaxedHeaders: (header: string, names: string) => { headers: string; fieldNames: string };
    relaxedHeaderLine: (line: string) => { key: string; value: string };
  };
}

/**
 * Fields that are signed once more often than they occur, so that an attacker on the way can't add
 * another one without breaking the signature (RFC 6376 5.4.2, 8.15).
 */
const signedFields = `
  from sender reply-to to cc subject date message-id in-reply-to references mime-version
  content-type content-transfer-encoding list-unsubscribe list-unsubscribe-post
`
  .trim()
  .split(/\s+/);

const signer = loadSigner();
// The package asks for the body by a function without context. It works synchronously, so two
// messages never meet here
let canonicalBody: Buffer = Buffer.alloc(0);

/**
 * The DKIM-Signature field of a message, with its final CRLF.
 * @throws {Error} when a line does not end with CRLF, or the message has not exactly one From field
 */
export function signMessage(raw: Buffer, key: SigningKey): string {
  const bodyAt = bodyOffset(raw);
  if (!isUtf8(raw.subarray(0, bodyAt))) throw new Error('cannot sign a header that is not UTF-8');
  const header = raw.toString('utf8', 0, bodyAt).replace(/\r\n\r\n$/, '');
  refuseUnfit(header);
  canonicalBody = relaxBody(raw.subarray(bodyAt));
  try {
    const field = signer.DKIMSign(`${header}\r\n\r\n`, {
      domainName: key.domain,
      keySelector: key.selector,
      privateKey: key.privateKey,
      headerFieldNames: signedFields.join(':'),
    });
    return `${field}\r\n`;
  } finally {
    canonicalBody = Buffer.alloc(0);
  }
}

/**
 * The package puts the tags together and signs. Its canonicalisers are replaced: they take
 * quadratic time, take other characters than SP and TAB for white space, and can't sign a field
 * once more than it occurs.
 */
function loadSigner(): DkimSigner {
  const loaded: DkimSigner = createRequire(import.meta.url)('dkim-signer');
  loaded.DKIMCanonicalizer.relaxedBody = () => canonicalBody;
  loaded.DKIMCanonicalizer.relaxedHeaderLine = relaxField;
  loaded.DKIMCanonicalizer.relaxedHeaders = relaxHeader;
  return loaded;
}

function refuseUnfit(header: string): void {
  if (/\r(?!\n)|(?<!\r)\n/.test(header)) throw new Error('cannot sign a header with a bare CR or LF');
  if ((header.match(/^from[ \t]*:/gim) ?? []).length !== 1)
    throw new Error('cannot sign a message without exactly one From');
}

/** RFC 6376 3.4.4, on bytes, in one pass. */
export function relaxBody(body: Buffer): Buffer {
  const out = Buffer.allocUnsafe(body.length + 2);
  let length = 0;
  let textEnd = 0;
  let isSpacePending = false;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at] ?? 0;
    if (byte === 0x20 || byte === 0x09) {
      isSpacePending = true;
      continue;
    }
    if (byte === 0x0d && body[at + 1] === 0x0a) {
      // White space before a line end is dropped with the flag
      isSpacePending = false;
      length += out.write('\r\n', length, 'latin1');
      at++;
      continue;
    }
    if (isSpacePending) out[length++] = 0x20;
    isSpacePending = false;
    out[length++] = byte;
    textEnd = length;
  }
  // Blank lines at the end don't count, and an empty body has no line end
  if (textEnd === 0) return Buffer.alloc(0);
  textEnd += out.write('\r\n', textEnd, 'latin1');
  return out.subarray(0, textEnd);
}

/** RFC 6376 3.4.2 for one field. */
function relaxField(field: string): { key: string; value: string } {
  const colon = field.indexOf(':');
  const words = field
    .slice(colon + 1)
    .replaceAll('\r\n', '')
    .split(/[ \t]+/);
  return {
    key:
      field
        .slice(0, colon)
        .split(/[ \t]+/)[0]
        ?.toLowerCase() ?? '',
    value: words.join(' ').replace(/^ | $/g, ''),
  };
}

/**
 * The signed fields in their order, last occurrence first (RFC 6376 5.4.2), each name once more
 * than it occurs.
 */
function relaxHeader(header: string, names: string): { headers: string; fieldNames: string } {
  const values = new Map<string, string[]>();
  for (const field of header.split(/\r\n(?![ \t])/)) {
    if (!field.includes(':')) continue;
    const { key, value } = relaxField(field);
    const known = values.get(key);
    if (known) known.push(value);
    else values.set(key, [value]);
  }
  const signed = names.split(':').map((name) => ({ name, found: (values.get(name) ?? []).toReversed() }));
  return {
    headers: signed.flatMap(({ name, found }) => found.map((value) => `${name}:${value}\r\n`)).join(''),
    fieldNames: foldableNames(signed.flatMap(({ name, found }) => [...found.map(() => name), name])),
  };
}

/**
 * Names with a space after some of the colons (RFC 6376 3.5, h=), where the package may fold the
 * line.
 */
function foldableNames(names: string[]): string {
  return names.join(':').replace(/(.{30,60}?):/g, '$1: ');
}
