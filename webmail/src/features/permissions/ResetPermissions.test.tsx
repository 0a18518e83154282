import { screen, waitFor } from '@testing-library/react';
import { beforeAll, expect, it, vi } from 'vitest';
import { storeTokens } from '../../lib/session.ts';
import { pending, show } from '../../test/render.tsx';
import { PermissionMatrix } from './PermissionMatrix.tsx';

// The first dialog loads its frame
beforeAll(() => import('../../components/dialog/DialogFrame.tsx'), 60_000);

it('resets the permissions of a person once the server has the flags that were changed before', async () => {
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  const flags = { create: true, view: true, edit: true, delete: true };
  const rowOf = (source: string) => ({ model: 'inbox', ...flags, edit: source === 'role', source, grantable: flags });
  const role = { _id: '3', role_id: 30, role_name: 'Weaver' };
  const subject = { kind: 'user', _id: '5', name: 'Bea', company_id: { _id: '2', name: 'Mill' }, role };
  const calls: string[] = [];
  const answers = [pending<void>(), pending<void>()];
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit = {}) => {
    const isReset = url.includes('/reset/');
    if (method !== 'GET') calls.push(isReset ? 'reset' : 'change');
    if (method !== 'GET' && !isReset) await answers[calls.length - 1]?.promise;
    const data = { subject, lock: null, permissions: [rowOf(isReset ? 'role' : 'own')] };
    return Response.json({ success: true, message: '', data });
  });
  const { person } = show(<PermissionMatrix subject={{ kind: 'user', id: '5' }} />);
  for (const flag of await screen.findAllByRole('switch', { name: /View|Delete/ })) await person.click(flag);
  await person.click(screen.getByRole('button', { name: 'Reset to Default' }));
  await person.click((await screen.findAllByRole('button', { name: 'Reset to Default' })).at(-1) as HTMLElement);
  await screen.findByRole('button', { name: 'Resetting' });
  answers[0]?.resolve();
  await waitFor(() => expect(calls).toEqual(['change', 'change']));
  answers[1]?.resolve();
  await screen.findAllByText('Permissions reset to default');
  expect(calls).toEqual(['change', 'change', 'reset']);
});
