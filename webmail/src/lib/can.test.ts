import { describe, expect, it } from 'vitest';
import { mayOpen } from './can.ts';

const flags = { view: true, create: false, edit: false, delete: false };
const company = { _id: '1', name: 'Ambika Mills', email: 'office@mill.test' };
const person = (model: string, isProvider: boolean) => ({
  permissions: [{ model, ...flags }],
  company_id: { ...company, is_provider: isProvider },
});
const needs = { model: 'module', action: 'view' } as const;

describe('mayOpen', () => {
  it('asks for the flag that the page names', () => {
    expect(mayOpen(person('module', false), { needs })).toBe(true);
    expect(mayOpen(person('role', false), { needs })).toBe(false);
    expect(mayOpen(person('role', false), {})).toBe(true);
  });

  it('closes a page for the host alone to people of tenants, whatever flags they have', () => {
    expect(mayOpen(person('module', true), { needs, isHostOnly: true })).toBe(true);
    expect(mayOpen(person('module', false), { needs, isHostOnly: true })).toBe(false);
    expect(mayOpen(person('role', true), { needs, isHostOnly: true })).toBe(false);
    expect(mayOpen(undefined, { isHostOnly: true })).toBe(false);
  });
});
