import { isUtf8 } from 'node:buffer';
import type { KeyObject } from 'node:crypto';
import { bodyOffset } from './crlf.ts';
import { relaxBody, signHeader } from './dkim-signer.ts';

/** The key that signs, and its domain. */
export interface SigningKey {
  domain: string;
  selector: string;
  /** PKCS#8 PEM, or the opened key. */
  privateKey: KeyObject | string;
}

/**
 * Fields that are signed once more often than they occur, so that no server on the way can add
 * another without breaking the signature (RFC 6376 5.4.2, 8.15).
 */
const signedFields = `
  from sender reply-to to cc subject date message-id in-reply-to references mime-version
  content-type content-transfer-encoding list-unsubscribe list-unsubscribe-post
`
  .trim()
  .split(/\s+/);

/**
 * The DKIM-Signature field of a message, with its final CRLF.
 * @throws {Error} when a line does not end with CRLF, or the message has not exactly one From field
 */
export function signMessage(raw: Buffer, key: SigningKey): string {
  const bodyAt = bodyOffset(raw);
  if (!isUtf8(raw.subarray(0, bodyAt))) throw new Error('cannot sign a header that is not UTF-8');
  const header = raw.toString('utf8', 0, bodyAt).replace(/\r\n\r\n$/, '');
  refuseUnfit(header);
  const field = signHeader(header, relaxBody(raw.subarray(bodyAt)), {
    domainName: key.domain,
    keySelector: key.selector,
    privateKey: key.privateKey,
    headerFieldNames: signedFields.join(':'),
  });
  return `${field}\r\n`;
}

function refuseUnfit(header: string): void {
  if (/\r(?!\n)|(?<!\r)\n/.test(header)) throw new Error('cannot sign a header with a bare CR or LF');
  // Not with the flag m, for which U+2028 and U+2029 end lines as well
  if ((header.match(/(?:^|\r\n)from[ \t]*:/gi) ?? []).length !== 1)
    throw new Error('cannot sign a message without exactly one From');
}
