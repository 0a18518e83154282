import { afterEach, describe, expect, it, vi } from 'vitest';
import { uniqueId } from './unique-id.ts';

afterEach(() => vi.unstubAllGlobals());

describe('uniqueId', () => {
  it.each([true, false])('gives UUIDs, each another one; in a secure context: %j', (isSecure) => {
    if (!isSecure) vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
    const ids = Array.from({ length: 100 }, uniqueId);
    const form = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    expect(ids.filter((id) => !form.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(100);
  });
});
