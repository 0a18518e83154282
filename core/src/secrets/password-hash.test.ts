import { describe, expect, it } from 'vitest';
import { hashPassword, needsRehash, verifyPassword } from './password-hash.ts';

describe('passwords', () => {
  it('knows the right password and refuses others', async () => {
    const stored = await hashPassword('correct horse');
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[^$]+\$[^$]+$/);
    expect(await verifyPassword('correct horse', stored)).toBe(true);
    expect(await verifyPassword('correct horse ', stored)).toBe(false);
    expect(await verifyPassword('', stored)).toBe(false);
  });

  it('gives two people with the same password different hashes', async () => {
    expect(await hashPassword('same')).not.toBe(await hashPassword('same'));
  });

  it('takes composed and decomposed characters for the same', async () => {
    expect(await verifyPassword('caf\u0065\u0301', await hashPassword('caf\u00e9'))).toBe(true);
  });

  it('is never true for an unknown account', async () => {
    expect(await verifyPassword('anything', null)).toBe(false);
  });

  it('asks for a new hash when the cost was another', async () => {
    expect(needsRehash(await hashPassword('x'))).toBe(false);
    expect(needsRehash('$argon2id$v=19$m=4096,t=3,p=1$c2FsdHNhbHQ$aGFzaGhhc2g')).toBe(true);
  });

  it('refuses a stored value that is not a hash', async () => {
    await expect(verifyPassword('x', 'plain text')).rejects.toThrow('unknown form');
  });
});
