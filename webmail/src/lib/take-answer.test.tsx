import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { pending } from '../test/render.tsx';
import { takeAnswer } from './take-answer.ts';

it('shows what a change has come to, and not what was asked for before it', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const late = pending<string>();
  client.setQueryData(['company'], 'before');
  const watched = new QueryObserver(client, { queryKey: ['company'], queryFn: () => late.promise });
  const end = watched.subscribe(() => undefined);
  const asked = client.refetchQueries({ queryKey: ['company'] });
  await takeAnswer(client, ['company'], 'after');
  late.resolve('before');
  await asked;
  expect(watched.getCurrentResult()).toMatchObject({ data: 'after', isFetching: false });
  end();
});
