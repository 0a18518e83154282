import type { ClientDto } from '@selvage/core/contracts/clients';
import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { storeTokens } from '../../lib/session.ts';
import { show } from '../../test/render.tsx';
import { EditClientDialog } from './EditClientDialog.tsx';

const client: ClientDto = {
  _id: '5',
  fname: 'Meera',
  lname: null,
  phone_number: null,
  country: null,
  personal_email: 'meera@home.test',
  business_email: 'meera@mill.test',
  password_change_required: true,
  company_id: { _id: '1', name: 'Mills' },
  is_default: false,
  max_users: 5,
  max_domains: 2,
  storage_limit: null,
  mailbox_limit: 2 ** 30,
  active_status: true,
  version: 3,
  deletedAt: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  abilities: { edit: true, delete: true, restore: false, erase: false, send_credentials: true },
};

it('sends of the company only what was changed, since the company has a form of its own', async () => {
  let sent: object = {};
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  vi.stubGlobal('fetch', async (url: string, { method, body }: RequestInit = {}) => {
    if (method === 'PUT') sent = JSON.parse(String(body));
    const data = url.endsWith('/user/info') ? { company_id: { is_provider: true } } : client;
    return Response.json({ success: true, message: '', data });
  });
  const onClose = vi.fn();
  const { person } = show(<EditClientDialog client={client} onClose={onClose} />);
  const domains = await screen.findByRole('textbox', { name: 'Maximum domains' });
  await person.clear(domains);
  await person.type(domains, '4');
  await person.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(sent).toEqual({
    fname: 'Meera',
    lname: '',
    phone_number: '',
    country: '',
    personal_email: 'meera@home.test',
    active_status: true,
    max_domains: 4,
    version: 3,
  });
});
