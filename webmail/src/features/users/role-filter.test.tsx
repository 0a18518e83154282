import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { type ListServer, serveList } from '../../test/list-server.ts';
import { logInAs } from '../../test/log-in-as.ts';
import { show } from '../../test/render.tsx';
import UsersPage from './UsersPage.tsx';

const ownCompany = { _id: '2', name: 'Mill', is_provider: false };
const roles = [
  { _id: '21', role_id: 1, role_name: 'Admin', assignable: true },
  { _id: '23', role_id: 3, role_name: 'Weaver', assignable: false },
];

/** Serves the list of people, and the roles of company 2 alone. */
function servePeople(company: typeof ownCompany): ListServer {
  const server = serveList(() => []);
  const answerList = fetch;
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const { pathname, searchParams } = new URL(url, window.location.href);
    if (pathname.endsWith('/user/get/all')) return await answerList(url, init);
    if (!pathname.endsWith('/user/form/choices')) return Response.json({ success: true, data: [] });
    const choices = { seats: null, company: ownCompany, domains: [{ _id: '1' }] };
    const data = searchParams.get('company_id') === '2' ? { ...choices, roles } : { ...choices, roles: [] };
    return Response.json({ success: true, data });
  });
  logInAs({ permissions: [], company_id: company });
  return server;
}

const roleOf = ({ asked }: ListServer) => asked.at(-1)?.['role_id'];

it('narrows the people of one company to a role, also to one that the caller may not give', async () => {
  const server = servePeople(ownCompany);
  const { person } = show(<UsersPage />);
  const filter = await screen.findByRole('combobox', { name: 'Role' });
  expect([...filter.querySelectorAll('option')].map(({ textContent }) => textContent)).toEqual([
    'Role: All',
    'Admin',
    'Weaver',
  ]);
  expect(roleOf(server)).toBeUndefined();
  await person.selectOptions(filter, 'Weaver');
  await waitFor(() => expect(roleOf(server)).toBe('23'));
  await person.selectOptions(filter, 'Role: All');
  await waitFor(() => expect(roleOf(server)).toBeUndefined());
});

it('is there for people of the provider once they have chosen a company', async () => {
  const server = servePeople({ _id: '1', name: 'Host', is_provider: true });
  const { unmount } = show(<UsersPage />);
  await waitFor(() => expect(server.asked.length).toBeGreaterThan(0));
  expect(screen.queryByRole('combobox', { name: 'Role' })).toBeNull();
  unmount();
  show(<UsersPage />, '/?company_id=2&role_id=23');
  await screen.findByRole('option', { name: 'Weaver', selected: true });
  expect(roleOf(server)).toBe('23');
});

it.each(['/?company_id=2&role_id=99', '/?role_id=23'])('drops a role of another company: %s', async (path) => {
  const server = servePeople({ _id: '1', name: 'Host', is_provider: true });
  show(<UsersPage />, path);
  await waitFor(() => expect(server.asked.length).toBeGreaterThan(1));
  expect(server.asked.map((query) => query['role_id'])).toEqual([expect.any(String), undefined]);
});
