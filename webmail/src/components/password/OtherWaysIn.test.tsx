import { listAppPasswords } from '@selvage/core/contracts/account';
import { listPasskeys } from '@selvage/core/contracts/two-factor';
import { screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FieldForm } from '../../hooks/use-form.ts';
import { fullDate } from '../../lib/format.ts';
import { endSession, storeTokens } from '../../lib/session.ts';
import { show } from '../../test/render.tsx';
import { type AlsoEnded, OtherWaysIn } from './OtherWaysIn.tsx';

const createdAt = '2026-11-01T12:00:00.000Z';
const used = '2026-11-21T12:00:00.000Z';
const appPasswords = [
  { _id: '1', app_name: 'Old phone', createdAt, last_used: null, last_used_ip: null },
  { _id: '2', app_name: 'Laptop', createdAt, last_used: used, last_used_ip: '192.0.2.1' },
];
const passkeys = [{ _id: '1', passkey_name: 'My key', createdAt, last_used: used }];

beforeEach(() => {
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
});
afterEach(() => {
  endSession();
  vi.unstubAllGlobals();
});

/** Answers the lists by the path of the call; a list that is left out fails. */
function serve(lists: Record<string, object[]>): void {
  vi.stubGlobal('fetch', async (url: string) => {
    const data = Object.entries(lists).find(([path]) => url.endsWith(path))?.[1];
    if (!data) return Response.json({ success: false, message: 'no' }, { status: 400 });
    return Response.json({ success: true, message: '', data });
  });
}

/** What the form would send. */
function Form() {
  const [values, setValues] = useState<AlsoEnded>({ end_app_passwords: [], end_passkeys: [] });
  const set = (name: keyof AlsoEnded, value: string[]): void => setValues((old) => ({ ...old, [name]: value }));
  const form: FieldForm<AlsoEnded> = { values, problems: {}, isPending: false, isLocked: false, set };
  return (
    <>
      <OtherWaysIn form={form} />
      <output aria-label="Values">{JSON.stringify(values)}</output>
    </>
  );
}

const sent = (): unknown => JSON.parse(screen.getByLabelText('Values').textContent);

describe('what else logs a person in', () => {
  it('is listed with its last use, and ends when it is ticked', async () => {
    serve({ [listAppPasswords.path]: appPasswords, [listPasskeys.path]: passkeys });
    const { person } = show(<Form />);
    const time = fullDate(used);
    await person.click(await screen.findByRole('checkbox', { name: 'App password “Old phone”, never used' }));
    await person.click(screen.getByRole('checkbox', { name: `App password “Laptop”, last used ${time}` }));
    await person.click(screen.getByRole('checkbox', { name: `Passkey “My key”, last used ${time}` }));
    expect(sent()).toEqual({ end_app_passwords: ['1', '2'], end_passkeys: ['1'] });
    await person.click(screen.getByRole('checkbox', { name: /Laptop/ }));
    expect(sent()).toEqual({ end_app_passwords: ['1'], end_passkeys: ['1'] });
  });

  it('is listed as far as it is known when one of the lists can’t be loaded', async () => {
    serve({ [listPasskeys.path]: passkeys });
    show(<Form />);
    expect(await screen.findByRole('checkbox', { name: /My key/ })).toBeTruthy();
    expect(screen.getAllByRole('checkbox')).toHaveLength(1);
  });

  it('says that it can’t be loaded, and loads it again when it is asked to', async () => {
    serve({});
    const { person } = show(<Form />);
    await screen.findByText('What else logs in without the password could not be loaded in full.');
    serve({ [listAppPasswords.path]: appPasswords, [listPasskeys.path]: [] });
    await person.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findAllByRole('checkbox')).toHaveLength(2);
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  });
});
