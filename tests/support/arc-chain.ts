import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Zone } from './dns-server.ts';

/** RFC 8617 4.2.1: no more sets are allowed. */
const sets = 50;
const domain = 'chain.remote.test';

/**
 * The longest chain of ARC sets, each with a valid seal. A seal covers all sets before it, and the
 * checks end at the first seal that is not valid. So only the owner of a domain can make this
 * costly, with a key in DNS.
 */
export class ArcChain {
  readonly #keys = generateKeyPairSync('rsa', { modulusLength: 4096 });

  /** The key of the seals. */
  get records(): Zone {
    const key = this.#keys.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
    const pieces = `v=DKIM1; k=rsa; p=${key}`.match(/.{1,255}/g) ?? [];
    return { [`s._domainkey.${domain}`]: { TXT: [pieces] } };
  }

  /** The fields of the chain, the newest set first. */
  fields(bytesOfSet: number): string[] {
    const covered: string[] = [];
    const fields: string[] = [];
    for (let instance = 1; instance <= sets; instance += 1) {
      const filling = `${'y'.repeat(90)}\r\n `.repeat(Math.floor(bytesOfSet / 93));
      const own = [
        `ARC-Authentication-Results: i=${instance}; remote.test; x=${filling}y`,
        `ARC-Message-Signature: i=${instance}; a=rsa-sha256; d=${domain}; s=s; h=from; bh=YWFh; b=YWFh`,
      ];
      covered.push(...own.map(relaxed));
      const chain = instance === 1 ? 'none' : 'pass';
      const unsigned = `ARC-Seal: i=${instance}; a=rsa-sha256; cv=${chain}; d=${domain}; s=s; b=`;
      const seal = unsigned + sign([...covered, relaxed(unsigned)].join('\r\n'), this.#keys.privateKey);
      covered.push(relaxed(seal));
      fields.unshift(seal, ...own);
    }
    return fields;
  }
}

function sign(text: string, key: KeyObject): string {
  return createSign('sha256').update(text, 'latin1').sign(key, 'base64');
}

/** RFC 6376 3.4.2. */
function relaxed(field: string): string {
  const colon = field.indexOf(':');
  return `${field.slice(0, colon).toLowerCase()}:${field
    .slice(colon + 1)
    .replace(/\s+/g, ' ')
    .trim()}`;
}
