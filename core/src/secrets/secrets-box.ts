import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const version = 'v1';
const ivBytes = 12;
const tagBytes = 16;

/**
 * A key for one purpose. It tells nothing about the keys of other purposes, nor about the key that
 * it comes from.
 */
export function deriveKey(secretKey: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, 'selvage', purpose, 32));
}

/**
 * Seals secrets at rest with AES-256-GCM. A sealed text is `v1.<base64url of iv, tag, ciphertext>`.
 * It opens only for the purpose that it was sealed for, so a value that an attacker copies from one
 * column into another is refused.
 */
export class SecretsBox {
  readonly #secretKey: Buffer;
  readonly #keys = new Map<string, Buffer>();

  constructor(secretKey: Buffer) {
    this.#secretKey = secretKey;
  }

  /** The key of a purpose, e.g. `jwt`. */
  key(purpose: string): Buffer {
    let key = this.#keys.get(purpose);
    if (key === undefined) {
      key = deriveKey(this.#secretKey, purpose);
      this.#keys.set(purpose, key);
    }
    return key;
  }

  /** Seals a text for one purpose, e.g. `dkim-private-key`. */
  seal(text: string, purpose: string): string {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv('aes-256-gcm', this.key(`seal:${purpose}`), iv);
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return `${version}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`;
  }

  /**
   * The text that was sealed for this purpose.
   *
   * @throws if it was changed, or sealed for another purpose or under another key
   */
  open(sealed: string, purpose: string): string {
    const [format, encoded] = sealed.split('.');
    if (format !== version || encoded === undefined) throw new Error('sealed value has an unknown format');
    const bytes = Buffer.from(encoded, 'base64url');
    if (bytes.length < ivBytes + tagBytes) throw new Error('sealed value is too short');
    const decipher = createDecipheriv('aes-256-gcm', this.key(`seal:${purpose}`), bytes.subarray(0, ivBytes));
    decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
    return decipher.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
  }
}
