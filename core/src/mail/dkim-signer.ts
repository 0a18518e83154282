import { createHash, generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { createRequire } from 'node:module';
import { assertLibrary } from '../assert-library.ts';

/** The package, with the internals that are replaced. */
export interface DkimSigner {
  DKIMSign(email: string, options: object): string;
  DKIMCanonicalizer: {
    relaxedBody: () => Buffer;
    relaxedHeaders: (header: string, names: string) => { headers: string; fieldNames: string };
    relaxedHeaderLine: (line: string) => { key: string; value: string };
  };
}

/** The input of the package for one signature. */
export interface SignerOptions {
  domainName: string;
  keySelector: string;
  privateKey: KeyObject | string;
  /** Names of the signed fields, with colons between them. */
  headerFieldNames: string;
}

type SignHeader = (header: string, relaxedBody: Buffer, options: SignerOptions) => string;

/**
 * The DKIM-Signature field of a header, given without its blank line, and of a body in its relaxed
 * form.
 */
export const signHeader: SignHeader = openSigner(createRequire(import.meta.url)('dkim-signer') as DkimSigner);

/**
 * The package assembles the tags and signs. Its canonicalisers are replaced: they take quadratic
 * time, treat other characters than SP and TAB as white space, and can't sign a field once more
 * than it occurs.
 * @throws Error with a sentence for the operator when it is not the version that this was written
 *   for, or what it signs can't be verified
 */
export function openSigner(signer: DkimSigner): SignHeader {
  const canonicalizer = signer.DKIMCanonicalizer as DkimSigner['DKIMCanonicalizer'] | undefined;
  assertLibrary({
    name: 'dkim-signer',
    version: '0.2.2',
    from: import.meta.url,
    members: {
      DKIMSign: typeof signer.DKIMSign === 'function',
      'DKIMCanonicalizer.relaxedBody': typeof canonicalizer?.relaxedBody === 'function',
      'DKIMCanonicalizer.relaxedHeaders': typeof canonicalizer?.relaxedHeaders === 'function',
      'DKIMCanonicalizer.relaxedHeaderLine': typeof canonicalizer?.relaxedHeaderLine === 'function',
    },
  });
  // The package gets the body from a function without context. It works synchronously, so two
  // messages can't be mixed up here
  let canonicalBody: Buffer = Buffer.alloc(0);
  signer.DKIMCanonicalizer.relaxedBody = () => canonicalBody;
  signer.DKIMCanonicalizer.relaxedHeaderLine = relaxField;
  signer.DKIMCanonicalizer.relaxedHeaders = relaxHeader;
  const sign: SignHeader = (header, relaxedBody, options) => {
    canonicalBody = relaxedBody;
    try {
      return signer.DKIMSign(`${header}\r\n\r\n`, options);
    } finally {
      canonicalBody = Buffer.alloc(0);
    }
  };
  proveSigner(sign);
  return sign;
}

/**
 * Signs a fixed message and verifies it according to RFC 6376: a package that no longer calls the
 * replaced functions would sign something else without any error.
 */
function proveSigner(sign: SignHeader): void {
  // The package accepts any key, and an EC key is generated in a millisecond
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const body = Buffer.from('a b\r\n');
  const field = sign('To: c@d.test\r\nSubject:  x \t y\r\nFROM: a@b.test', body, {
    domainName: 'b.test',
    keySelector: 's',
    privateKey,
    headerFieldNames: 'from:subject:cc',
  });
  const tags = new Map(
    field
      .slice('DKIM-Signature:'.length)
      .split(';')
      .map((tag) => [tag.slice(0, tag.indexOf('=')).trim(), tag.slice(tag.indexOf('=') + 1).replace(/\s+/g, '')]),
  );
  const signature = tags.get('b') ?? '';
  const unsigned = relaxField(field.slice(0, field.lastIndexOf('b=') + 2));
  const signed = `from:a@b.test\r\nsubject:x y\r\n${unsigned.key}:${unsigned.value}`;
  const isRight =
    tags.get('bh') === createHash('sha256').update(body).digest('base64') &&
    tags.get('h') === 'from:from:subject:subject:cc' &&
    verify('sha256', Buffer.from(signed), publicKey, Buffer.from(signature, 'base64'));
  if (!isRight)
    throw new Error('dkim-signer.ts: what dkim-signer signs cannot be verified, so no mail would be believed');
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
  // Blank lines at the end are ignored, and an empty body has no line end
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
