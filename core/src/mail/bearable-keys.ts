import { createPublicKey } from 'node:crypto';

/*
 * What it takes to check a signature is up to the owner of its key. OpenSSL takes exponents as long
 * as the modulus, up to 3072 bits: with such a key one check takes 18 ms, a hundred times as long
 * as with an honest one, and a message may have sixty signatures.
 */

/** RFC 8301 3.2 asks for 4096 bits. A check with twice as many takes a millisecond or two. */
const mostModulusBits = 8192;
/** Nearly all keys have 65537. Go and Windows take no more than 32 bits either. */
const mostExponent = 2n ** 32n;

/** A revoked key (RFC 6376 3.6.1), so that the signature proves nothing. */
const noKey = 'v=DKIM1; p=';

/**
 * A look-up as mailauth makes it. Its errors have the codes of node:dns (ENOTFOUND, ENODATA,
 * ETIMEOUT).
 */
export type AuthenticationResolver = (name: string, type: string) => Promise<string[] | string[][]>;

/** A resolver that gives no DKIM key whose signatures take long to check. */
export function withBearableKeys(resolver: AuthenticationResolver): AuthenticationResolver {
  return async (name, type) => {
    const records = await resolver(name, type);
    if (type !== 'TXT' || !/\._domainkey\./i.test(name)) return records;
    const texts = records.map((record) => [record].flat());
    return texts.map((pieces) => (isCostly(pieces.join('')) ? [noKey] : pieces));
  };
}

/** Says whether any key that a reader may find in a record is costly. */
function isCostly(record: string): boolean {
  const keys = record.replace(/\s+/g, '').matchAll(/(?:^|;)p=([^;]*)/gi);
  return [...keys].some(([, key = '']) => isCostlyKey(Buffer.from(key, 'base64')));
}

/** RFC 6376 3.6.1 has the bare key of RSA; most publish it with its algorithm before it. */
function isCostlyKey(key: Buffer): boolean {
  return (['spki', 'pkcs1'] as const).some((type) => {
    const { modulusLength = 0, publicExponent = 0n } = detailsOf(key, type);
    return modulusLength > mostModulusBits || publicExponent > mostExponent;
  });
}

function detailsOf(key: Buffer, type: 'spki' | 'pkcs1') {
  try {
    return createPublicKey({ key, format: 'der', type }).asymmetricKeyDetails ?? {};
  } catch {
    // A key of the other form, or none
    return {};
  }
}
