import type { RoleDto } from '@selvage/core/contracts/roles';
import { act, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { NewClientDialog } from '../features/clients/NewClientDialog.tsx';
import { CompanyDialog } from '../features/companies/CompanyDialog.tsx';
import { EditRoleDialog } from '../features/roles/role-dialogs.tsx';
import { show } from '../test/render.tsx';
import { useSubject } from './current-user.ts';
import { watchPerson } from './forget.ts';
import { endSession, storeTokens } from './session.ts';
import { unsavedWork } from './unsaved-work.ts';

const signIn = (): void => storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '1' }))}.x`, refreshToken: 'x' });
beforeAll(watchPerson);
beforeEach(signIn);
afterEach(() => endSession());

const close = (): void => undefined;
const role = (id: string): RoleDto => ({
  _id: id,
  role_name: 'Weaver',
  role_id: 3,
  company_id: { _id: '1', name: 'Mills' },
  permissions: [],
  people: 0,
  two_factor: null,
  active_status: true,
  deletedAt: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  version: 1,
  abilities: { edit: true, delete: true, restore: true, erase: true, require_two_factor: true },
});

/** As the app does it: a page is there for the logged-in person alone. */
function Page({ children }: { children: ReactNode }) {
  return useSubject() === null ? <p>Elsewhere</p> : children;
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label, { exact: false });
const forms: [name: string, part: ReactNode, label: string][] = [
  ['a new company', <CompanyDialog key="1" company={null} onClose={close} />, 'Company Name'],
  ['a new client', <NewClientDialog key="2" onClose={close} />, 'Company Name'],
  ['a role', <EditRoleDialog key="3" role={role('5')} onClose={close} />, 'Role Name'],
];

it.each(forms)('the form of %s is as it was left when the session ended elsewhere', async (_name, part, label) => {
  const { person } = show(<Page>{part}</Page>);
  await person.type(field(label), ' of Surat');
  const typed = field(label).value;
  await act(async () => endSession('Session expired.'));
  screen.getByText('Elsewhere');
  expect(unsavedWork()).toHaveLength(1);
  await act(async () => signIn());
  expect(field(label).value).toBe(typed);
});

it('what was typed for one record is not in the form of another', async () => {
  const { person, rerender } = show(
    <Page>
      <EditRoleDialog role={role('5')} onClose={close} />
    </Page>,
  );
  await person.type(field('Role Name'), ' of Surat');
  await act(async () => endSession('Session expired.'));
  rerender(<Page>{null}</Page>);
  await act(async () => signIn());
  show(<EditRoleDialog role={role('6')} onClose={close} />);
  expect(field('Role Name').value).toBe('Weaver');
});
