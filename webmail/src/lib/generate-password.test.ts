import { describe, expect, it } from 'vitest';
import { generatePassword } from './generate-password.ts';

describe('a generated password', () => {
  it('has 9 characters of the alphabet, of each kind at least one, and is another one each time', () => {
    const made = Array.from({ length: 500 }, generatePassword);
    for (const password of made) {
      expect(password).toMatch(/^[A-Za-z0-9*&^%$#@!]{9}$/);
      expect(password).toMatch(/[A-Za-z]/);
      expect(password).toMatch(/\d/);
      expect(password).toMatch(/[*&^%$#@!]/);
    }
    expect(new Set(made).size).toBe(500);
    // No place is always of one kind
    for (let place = 0; place < 9; place += 1) {
      expect(new Set(made.map((password) => password.charAt(place))).size).toBeGreaterThan(30);
    }
  });
});
