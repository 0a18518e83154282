import type { RestartDto } from '@selvage/core/contracts/environment';
import { useQuery } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { pending, show } from '../../../test/render.tsx';
import { restartQuery } from './queries.ts';
import { RestartDialog } from './RestartDialog.tsx';

const none = { state: 'none' } as unknown as RestartDto;
const running = { state: 'running' } as RestartDto;
/** What the server had when it was asked how far a restart is, before there was one. */
let late: PromiseWithResolvers<RestartDto>;

vi.mock('../../../lib/api.ts', async (original) => ({
  ...(await original<object>()),
  api: async ({ method }: { method: string }) => (method === 'GET' ? await late.promise : running),
}));

// The dialog comes with much of Fluent, which takes its time
beforeAll(() => import('../../../components/dialog/DialogFrame.tsx'), 60_000);
beforeEach(() => {
  late = pending();
});

function Watch() {
  return <p>{useQuery(restartQuery).data?.state}</p>;
}

it('begins a restart that is watched, also where an earlier question about it is answered late', async () => {
  const onClose = vi.fn();
  const { person, client } = show(
    <>
      <Watch />
      <RestartDialog single={[]} onClose={onClose} />
    </>,
  );
  client.setQueryData(restartQuery.queryKey, none);
  const asked = client.refetchQueries({ queryKey: restartQuery.queryKey });
  await person.click(await screen.findByRole('button', { name: 'Restart' }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  late.resolve(none);
  await asked;
  expect(client.getQueryData(restartQuery.queryKey)).toEqual(running);
});
