import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { currentUserQuery, useCurrentUser } from '../../lib/current-user.ts';
import { storeTokens } from '../../lib/session.ts';
import { pending, show } from '../../test/render.tsx';
import { useSaveProfile, valuesOf } from './queries.ts';

const person = { _id: '7', email: 'ana@x.test', fname: 'Ana', version: 1 } as CurrentUserDto;
/** What the server had when it was asked for the person before the profile was saved. */
let late: PromiseWithResolvers<{ data: CurrentUserDto }>;

vi.mock('../../lib/api.ts', async (original) => ({
  ...(await original<object>()),
  api: async ({ method }: { method: string }) =>
    method === 'PUT' ? { ...person, fname: 'Anabel', version: 2 } : await late.promise,
}));

beforeEach(() => {
  late = pending();
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
});

function Screen() {
  const user = useCurrentUser();
  const save = useSaveProfile(person);
  return (
    <>
      <button onClick={() => void save({ ...valuesOf(person), fname: 'Anabel' }, 1)}>Save</button>
      <p>{user?.fname}</p>
    </>
  );
}

it('stays as it was saved, also where an earlier question about the person is answered late', async () => {
  const { person: writer, client } = show(<Screen />);
  client.setQueryData(currentUserQuery.queryKey, person);
  await screen.findByText('Ana');
  const asked = client.refetchQueries({ queryKey: currentUserQuery.queryKey });
  await writer.click(screen.getByText('Save'));
  await screen.findByText('Anabel');
  late.resolve({ data: person });
  await asked;
  await waitFor(() => expect(client.isFetching()).toBe(0));
  expect(client.getQueryData(currentUserQuery.queryKey)).toMatchObject({ fname: 'Anabel', version: 2 });
});
