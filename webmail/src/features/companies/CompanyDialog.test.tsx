import type { CompanyDto } from '@selvage/core/contracts/companies';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { storeTokens } from '../../lib/session.ts';
import { show } from '../../test/render.tsx';
import { CompanyDialog } from './CompanyDialog.tsx';

const abilities = { edit: true, switch: true, delete: true, restore: false, erase: false };
const company: CompanyDto = {
  _id: '5',
  name: 'Mills',
  email: 'office@mill.test',
  industry: null,
  phone: '9876543210',
  address: 'Ring Road',
  city: 'Surat',
  state: 'Gujarat',
  country: 'India',
  pin_code: '395002',
  is_provider: false,
  createdBy: null,
  max_users: 5,
  max_domains: null,
  storage_limit: null,
  mailbox_limit: null,
  active_status: true,
  version: 1,
  deletedAt: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  abilities,
};

/** The body of each call that the form makes. */
let sent: object[];
/** Whether the person who uses the form is of the provider. */
let isOfHost = false;

beforeEach(() => {
  sent = [];
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  vi.stubGlobal('fetch', async (url: string, { method, body }: RequestInit = {}) => {
    if (method === 'PUT') sent.push(JSON.parse(String(body)));
    const data = url.endsWith('/user/info') ? { company_id: { is_provider: isOfHost } } : company;
    return Response.json({ success: true, message: '', data });
  });
});

it.each([
  ['the provider', true, { max_users: 12, storage_limit: 2 ** 31 }],
  ['a tenant', false, {}],
])('lets people of %s set what the company may have where that is %s', async (_whose, isProvider, limits) => {
  const onClose = vi.fn();
  isOfHost = isProvider;
  const { person } = show(<CompanyDialog company={company} onClose={onClose} />);
  await person.clear(await screen.findByRole('textbox', { name: 'City' }));
  await person.type(screen.getByRole('textbox', { name: 'City' }), 'Pune');
  if (isProvider) {
    const users = await screen.findByRole('textbox', { name: 'Maximum users' });
    await person.clear(users);
    await person.type(users, '12');
    await person.type(screen.getByRole('textbox', { name: 'Storage in GB' }), '2');
  } else {
    expect(screen.queryByRole('textbox', { name: 'Maximum users' })).toBeNull();
  }
  await person.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(sent).toMatchObject([{ city: 'Pune', ...limits }]);
  expect('max_domains' in (sent[0] ?? {})).toBe(isProvider);
});

it.each([
  ['who may edit it and not delete it', { delete: false, switch: true }, 1],
  ['of the company itself', { delete: false, switch: false }, 0],
])('has the switch of a company where the server lets it be used, for people %s', async (_who, can, switches) => {
  show(<CompanyDialog company={{ ...company, abilities: { ...abilities, ...can } }} onClose={vi.fn()} />);
  await screen.findByRole('textbox', { name: 'Company Name' });
  expect(screen.queryAllByRole('switch', { name: 'Active' })).toHaveLength(switches);
});

it('saves a company whose name is longer than a new one may be', async () => {
  isOfHost = false;
  const { person } = show(<CompanyDialog company={{ ...company, name: 'x'.repeat(120) }} onClose={vi.fn()} />);
  await person.type(await screen.findByRole('textbox', { name: 'City' }), ' East');
  await person.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toMatchObject([{ city: 'Surat East', version: 1 }]));
  expect(sent[0]).not.toHaveProperty('name');
});

it('takes no new name that is too long', async () => {
  isOfHost = false;
  const { person } = show(<CompanyDialog company={{ ...company, name: 'x'.repeat(120) }} onClose={vi.fn()} />);
  await person.type(await screen.findByRole('textbox', { name: 'Company Name' }), '{Backspace}');
  await person.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Maximum 100 characters allowed');
  expect(sent).toEqual([]);
});
