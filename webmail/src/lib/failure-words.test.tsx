import type { ClientDto } from '@selvage/core/contracts/clients';
import type { CompanyDto } from '@selvage/core/contracts/companies';
import { screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CompanyDialog } from '../features/companies/CompanyDialog.tsx';
import { EditClientDialog } from '../features/clients/EditClientDialog.tsx';
import { DeleteClientDialog, EraseClientDialog, useRestoreClient } from '../features/clients/removal-dialogs.tsx';
import { SendCredentialsDialog } from '../features/clients/SendCredentialsDialog.tsx';
import { show } from '../test/render.tsx';
import { endSession, storeTokens } from './session.ts';

const stamps = { deletedAt: null, createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' };
const abilities = { edit: true, delete: true, restore: true, erase: true };
const client: ClientDto = {
  _id: '5',
  fname: 'Meera',
  lname: null,
  phone_number: null,
  country: null,
  personal_email: 'meera@home.test',
  business_email: 'meera@mill.test',
  password_change_required: false,
  company_id: { _id: '1', name: 'Mills' },
  is_default: false,
  max_users: null,
  max_domains: null,
  storage_limit: null,
  mailbox_limit: null,
  active_status: true,
  version: 1,
  ...stamps,
  abilities: { ...abilities, send_credentials: true },
};
const company: CompanyDto = {
  _id: '1',
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
  max_users: null,
  max_domains: null,
  storage_limit: null,
  mailbox_limit: null,
  active_status: true,
  version: 1,
  ...stamps,
  abilities: { ...abilities, switch: true },
};

function RestoreButton() {
  const restore = useRestoreClient();
  return (
    <button type="button" onClick={() => restore(client)}>
      Restore
    </button>
  );
}

const close = (): void => undefined;
interface Case {
  part: ReactNode;
  /** What is pressed; the word of a deletion is typed first. */
  press: string;
  said: string;
}
const cases: Case[] = [
  { part: <DeleteClientDialog client={client} onClose={close} />, press: 'Delete', said: 'Soft delete failed' },
  { part: <EraseClientDialog client={client} onClose={close} />, press: 'Delete', said: 'Permanent delete failed' },
  { part: <RestoreButton />, press: 'Restore', said: 'Restore failed' },
  {
    part: <SendCredentialsDialog client={client} onClose={close} />,
    press: 'Send',
    said: 'Failed to send credentials',
  },
  { part: <CompanyDialog company={company} onClose={close} />, press: 'Save', said: 'Operation failed' },
  { part: <EditClientDialog client={client} onClose={close} />, press: 'Save', said: 'Something went wrong' },
];

beforeEach(() => {
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
});
afterEach(() => {
  endSession();
  vi.unstubAllGlobals();
});

async function attempt({ part, press }: Case, answer: () => Response): Promise<void> {
  vi.stubGlobal('fetch', async () => answer());
  const { person } = show(part);
  for (const field of screen.queryAllByRole('textbox', { name: /DELETE/ })) await person.type(field, 'DELETE');
  await person.click(screen.getByRole('button', { name: press }));
}

const failure = (status: number, message: string) => () => Response.json({ success: false, message }, { status });
const dead = (): Response => {
  throw new TypeError('failed to fetch');
};

describe.each(cases)('a call that fails with “$said”', (one) => {
  it('says so before the reason when the server had a problem', async () => {
    await attempt(one, failure(500, 'An error occurred'));
    expect(await screen.findByText(`${one.said}. An error occurred`)).toBeTruthy();
  });

  it('says so before the reason when there is no answer', async () => {
    await attempt(one, dead);
    expect(await screen.findByText(`${one.said}. The server did not answer.`, { exact: false })).toBeTruthy();
  });

  it('gives the words of the server alone where it has any', async () => {
    await attempt(one, failure(409, 'Restore the company first.'));
    expect(await screen.findByText('Restore the company first.')).toBeTruthy();
  });
});
