import { describe, expect, it } from 'vitest';
import {
  afterPasswordChange,
  afterSignIn,
  fromRoot,
  type Lander,
  pageForUnknownAddress,
  pageInsteadOfLogin,
} from './landing.ts';

const person = (role_name: string, required_data = false): Lander => ({
  required_data,
  role_id: { _id: '1', role_id: 9, role_name },
});

describe('where a person lands', () => {
  it('is the setup first, for every role and from everywhere', () => {
    for (const land of [afterSignIn, afterPasswordChange, pageInsteadOfLogin, pageForUnknownAddress, fromRoot]) {
      expect(land(person('User', true))).toBe('/required_data');
      expect(land(person('Admin', true))).toBe('/required_data');
    }
  });
  it('is the inbox after a login', () => {
    expect(afterSignIn(person('User'))).toBe('/dashboard/inbox');
    expect(afterSignIn(person('Admin'))).toBe('/dashboard/inbox');
  });
  it('depends on the role of a person who is already logged in', () => {
    expect(pageInsteadOfLogin(person('User'))).toBe('/dashboard/home');
    expect(pageInsteadOfLogin(person('Super Admin'))).toBe('/dashboard/inbox');
    expect(pageForUnknownAddress(person('User'))).toBe('/dashboard/inbox');
    expect(pageForUnknownAddress(person('Super Admin'))).toBe('/dashboard/home');
  });
  it('is the dashboard after a password that had to be changed, and at the root', () => {
    expect(afterPasswordChange(person('User'))).toBe('/dashboard/home');
    expect(fromRoot(person('Admin'))).toBe('/dashboard/home');
  });
});
