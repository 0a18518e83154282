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

/**
 * A resolver that replaces a DKIM key whose signatures take too long to check by a revoked key.
 * mailauth reads the first record of a name and no other, so that one alone is judged: a stranger's
 * name may have hundreds.
 */
export function withBearableKeys(resolver: AuthenticationResolver): AuthenticationResolver {
  return async (name, type) => {
    const records = await resolver(name, type);
    if (type !== 'TXT' || !/\._domainkey\./i.test(name)) return records;
    const [first, ...others] = records.map((record) => [record].flat());
    if (!first) return [];
    return [isCostly(first.join('')) ? [noKey] : first, ...others];
  };
}

/**
 * A record with more keys than this is not read. With a second one it is invalid already (RFC 6376
 * 3.2), but some readers take the first and some the last.
 */
const mostKeys = 2;

/** Whether any key in a record is costly, however a reader parses the record. */
function isCostly(record: string): boolean {
  const keys = [...record.replace(/\s+/g, '').matchAll(/(?:^|;)p=([^;]*)/gi)];
  return keys.length > mostKeys || keys.some(([, key = '']) => isCostlyKey(Buffer.from(key, 'base64')));
}

/** The modulus alone of the shortest RSA key that mailauth accepts, which has 1024 bits. */
const fewestBytes = 128;
/** Twice as long as the longest key that is accepted, whatever stands around its numbers. */
const mostBytes = (mostModulusBits / 8) * 2;

/**
 * RFC 6376 3.6.1 defines a bare RSA key; most domains publish it with its algorithm in front. To
 * read a key takes a good part of a millisecond, so its length is looked at first.
 */
function isCostlyKey(key: Buffer): boolean {
  if (key.length < fewestBytes) return false;
  if (key.length > mostBytes) return true;
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
