import type { GroupDto } from '@selvage/core/contracts/groups';
import type { RoleDto } from '@selvage/core/contracts/roles';
import { screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import GroupsPage from '../../features/groups/GroupsPage.tsx';
import RolesPage from '../../features/roles/RolesPage.tsx';
import { currentUserQuery } from '../../lib/current-user.ts';
import { serveList } from '../../test/list-server.ts';
import { logInAs } from '../../test/log-in-as.ts';
import { show } from '../../test/render.tsx';

const abilities = { edit: true, delete: true, restore: false, erase: false };
const company_id = { _id: '1', name: '007' };
const none = { create: false, edit: false, delete: false };
const role: RoleDto = {
  _id: '5',
  role_name: '=2+3',
  role_id: 4,
  company_id,
  active_status: true,
  people: 0,
  permissions: [
    { model: 'sent', view: true, ...none },
    { model: 'inbox', view: true, ...none },
    { model: 'trash', view: false, ...none },
  ],
  two_factor: null,
  deletedAt: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  version: 1,
  abilities: { ...abilities, require_two_factor: false },
};
const group: GroupDto = {
  _id: '6',
  name: '+Sales, "all"',
  address: 'sales@mill.test',
  company_id,
  people: 12,
  active_status: false,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  version: 1,
  abilities,
};

const files: Blob[] = [];
const original = { createObjectURL: URL.createObjectURL, revokeObjectURL: URL.revokeObjectURL };
afterEach(() => void Object.assign(URL, original));

/** The text of the file that the list's button saves for a person of the provider, or another. */
async function exported(page: ReactNode, find: Parameters<typeof serveList>[0], isProvider = false): Promise<string> {
  serveList(find);
  logInAs({ permissions: [], company_id: { ...company_id, is_provider: isProvider } });
  files.length = 0;
  Object.assign(URL, { createObjectURL: (file: Blob) => `#${files.push(file)}`, revokeObjectURL: vi.fn() });
  const { person, client } = show(page);
  await waitFor(() => expect(client.getQueryData(currentUserQuery.queryKey)).toBeDefined());
  await person.click(await screen.findByRole('button', { name: 'Export' }));
  await waitFor(() => expect(files).toHaveLength(1));
  return (await files[0]?.text()) ?? '';
}

describe('the exported file', () => {
  it('of the roles has each column as harmless text', async () => {
    const lines = (await exported(<RolesPage />, () => [role])).split('\r\n');
    expect(lines).toEqual(['Roles,Company Name,Role id,Permissions,Status', `'=2+3,'007,4,"Inbox, Sent",Active`, '']);
  });

  it.each([
    ['has each column as harmless text', true, `"'+Sales, ""all""",sales@mill.test,'007,12,Inactive`],
    ['names no company for people who see one alone', false, `"'+Sales, ""all""",sales@mill.test,12,Inactive`],
  ])('of the groups %s', async (_what, isProvider, line) => {
    const lines = (await exported(<GroupsPage />, () => [group], isProvider)).split('\r\n');
    expect(lines.slice(1)).toEqual([line, '']);
  });

  it('has a row once that moved to the next page while the pages were read', async () => {
    const groups = Array.from({ length: 150 }, (_group, index) => ({
      ...group,
      _id: String(index),
      name: `G${index}`,
    }));
    const added = { ...group, _id: 'new', name: 'New' };
    const file = await exported(<GroupsPage />, ({ page }) => (page === '1' ? groups : [added, ...groups]));
    const names = file.split('\r\n').map((line) => line.split(',')[0]);
    expect(names).toEqual(['Group', ...groups.map(({ name }) => name), '']);
  });
});
