import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { currentUserQuery, useCurrentUser } from '../../lib/current-user.ts';
import { storeTokens } from '../../lib/session.ts';
import { pending, show } from '../../test/render.tsx';
import { useFinish } from './use-finish.ts';

const person = { _id: '7', required_data: true } as CurrentUserDto;
/** What the server had when it was asked for the person before the setup was finished. */
let late: PromiseWithResolvers<{ data: CurrentUserDto }>;

vi.mock('../../lib/api.ts', async (original) => ({
  ...(await original<object>()),
  api: async ({ method }: { method: string }) =>
    method === 'PUT' ? { ...person, required_data: false } : await late.promise,
}));

beforeEach(() => {
  late = pending();
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
});

function Screen() {
  const user = useCurrentUser();
  const { finish } = useFinish(person);
  return (
    <>
      <button onClick={() => void finish()}>Finish</button>
      <p>{user?.required_data ? 'to set up' : 'set up'}</p>
    </>
  );
}

it('is the end, also where an earlier question about the person is answered late', async () => {
  const { person: writer, client } = show(<Screen />);
  client.setQueryData(currentUserQuery.queryKey, person);
  await screen.findByText('to set up');
  const asked = client.refetchQueries({ queryKey: currentUserQuery.queryKey });
  await writer.click(screen.getByText('Finish'));
  await screen.findByText('set up');
  late.resolve({ data: person });
  await asked;
  await waitFor(() => expect(client.isFetching()).toBe(0));
  expect(client.getQueryData(currentUserQuery.queryKey)).toMatchObject({ required_data: false });
});
