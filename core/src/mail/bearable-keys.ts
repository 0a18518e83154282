import { createPublicKey } from 'node:crypto';

/*
 * The owner of a key decides how long it takes to check its signatures. OpenSSL accepts exponents
 * as long as the modulus, up to 3072 bits: with such a key one check takes 18 ms, a hundred times
 * as long as with a normal one, and a message may have sixty signatures.
 */

/**
 * RFC 8301 3.2 requires support for 4096 bits. A check with twice as many takes a millisecond or
 * two.
 */
const mostModulusBits = 8192;
/** Nearly all keys have 65537. Go and Windows accept no more than 32 bits either. */
const mostExponent = 2n ** 32n;

/** A revoked key (RFC 6376 3.6.1), with which no signature is valid. */
const noKey = 'v=DKIM1; p=';

/**
 * A look-up in the form that mailauth needs. Its errors have the codes of node:dns (ENOTFOUND,
 * ENODATA, ETIMEOUT).
 */
export type AuthenticationResolver = (name: string, type: string) => Promise<string[] | string[][]>;

/** A resolver that replaces DKIM keys whose signatures take too long to check by a revoked key. */
export function withBearableKeys(resolver: AuthenticationResolver): AuthenticationResolver {
  return async (name, type) => {
    const records = await resolver(name, type);
    if (type !== 'TXT' || !/\._domainkey\./i.test(name)) return records;
    const texts = records.map((record) => [record].flat());
    return texts.map((pieces) => (isCostly(pieces.join('')) ? [noKey] : pieces));
  };
}

/** Whether any key in a record is costly, however a reader parses the record. */
function isCostly(record: string): boolean {
  const keys = record.replace(/\s+/g, '').matchAll(/(?:^|;)p=([^;]*)/gi);
  return [...keys].some(([, key = '']) => isCostlyKey(Buffer.from(key, 'base64')));
}

/** RFC 6376 3.6.1 defines a bare RSA key; most domains publish it with its algorithm in front. */
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
