import { describe, expect, it } from 'vitest';
import { assertLibrary } from './assert-library.ts';
import packageJson from '../package.json' with { type: 'json' };

const zod = { name: 'zod', version: packageJson.dependencies.zod, from: import.meta.url, members: { parse: true } };

describe('assertLibrary', () => {
  it('accepts the version and the members that are used', () => {
    expect(() => assertLibrary(zod)).not.toThrow();
  });

  it('refuses another version, and says what to do', () => {
    expect(() => assertLibrary({ ...zod, version: '0.0.1' })).toThrow(
      `assert-library.test.ts was written for zod 0.0.1, but ${zod.version} is installed: run npm ci`,
    );
  });

  it('refuses a library that lacks what is used', () => {
    expect(() => assertLibrary({ ...zod, members: { parse: true, _inside: false, _more: false } })).toThrow(
      `assert-library.test.ts uses what zod ${zod.version} does not have: _inside, _more`,
    );
  });
});
