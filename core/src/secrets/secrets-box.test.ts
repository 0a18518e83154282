import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { deriveKey, SecretsBox } from './secrets-box.ts';

describe('SecretsBox', () => {
  const box = new SecretsBox(randomBytes(32));

  it('opens what it sealed, differently each time', () => {
    const sealed = box.seal('a private key ✓', 'dkim');
    expect(box.open(sealed, 'dkim')).toBe('a private key ✓');
    expect(box.seal('a private key ✓', 'dkim')).not.toBe(sealed);
    expect(sealed).not.toContain('private');
  });

  it('opens an empty text', () => {
    expect(box.open(box.seal('', 'totp'), 'totp')).toBe('');
  });

  it('refuses a value of another purpose, of another key, and a changed one', () => {
    const sealed = box.seal('secret', 'dkim');
    const changed = sealed.slice(0, -2) + (sealed.endsWith('AA') ? 'BB' : 'AA');
    expect(() => box.open(sealed, 'totp')).toThrow('authenticate');
    expect(() => new SecretsBox(randomBytes(32)).open(sealed, 'dkim')).toThrow('authenticate');
    expect(() => box.open(changed, 'dkim')).toThrow('authenticate');
    expect(() => box.open('v2.abc', 'dkim')).toThrow('unknown format');
    expect(() => box.open('v1.abc', 'dkim')).toThrow('too short');
  });

  it('derives the same key for the same purpose only', () => {
    const secretKey = randomBytes(32);
    expect(deriveKey(secretKey, 'jwt').equals(deriveKey(secretKey, 'jwt'))).toBe(true);
    expect(deriveKey(secretKey, 'jwt').equals(deriveKey(secretKey, 'captcha'))).toBe(false);
  });
});
