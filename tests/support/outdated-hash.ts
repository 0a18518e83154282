import { argon2Sync } from 'node:crypto';

/** The hash of a password in PHC form, with a lower cost than the host now requires. */
export function outdatedHash(password: string): string {
  const nonce = Buffer.alloc(16, 7);
  const cost = { memory: 1024, passes: 1, parallelism: 1 };
  const tag = argon2Sync('argon2id', { message: Buffer.from(password), nonce, tagLength: 32, ...cost });
  const [salt, hash] = [nonce, tag].map((bytes) => bytes.toString('base64').replace(/=+$/, ''));
  return `$argon2id$v=19$m=1024,t=1,p=1$${salt}$${hash}`;
}
