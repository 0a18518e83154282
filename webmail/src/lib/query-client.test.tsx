import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { configure, render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { FreshQueryClient } from './query-client.ts';

// The machine may be slow because it is busy with other tests
configure({ asyncUtilTimeout: 30_000 });
const queryKey = ['letters'];

/** A server that answers when it is told to, with what it had when it was asked. */
function slowServer() {
  let letters = 2;
  const waiting: (() => void)[] = [];
  const ask = (): Promise<number> => {
    const answer = letters;
    return new Promise((resolve) => waiting.push(() => resolve(answer)));
  };
  let count = 0;
  return {
    ask: () => {
      count += 1;
      return ask();
    },
    count: () => count,
    change: () => void (letters -= 1),
    answer: () => waiting.splice(0).forEach((answer) => answer()),
    asked: () => waiting.length,
  };
}

function Letters({ ask }: { ask: () => Promise<number> }) {
  const { data } = useQuery({ queryKey, queryFn: ask, staleTime: 60_000 });
  return <p>{data === undefined ? 'loading' : `${data} letters`}</p>;
}

const show = (client: FreshQueryClient, ask: () => Promise<number>) =>
  render(
    <QueryClientProvider client={client}>
      <Letters ask={ask} />
    </QueryClientProvider>,
  );

describe('what is loaded while it changes', () => {
  it('is loaded again behind the first load, once for all changes', async () => {
    const client = new FreshQueryClient();
    const server = slowServer();
    show(client, server.ask);
    server.change();
    void client.invalidateQueries({ queryKey });
    void client.invalidateQueries({ queryKey });
    server.answer();
    await screen.findByText('2 letters');
    await expect.poll(server.asked).toBe(1);
    server.answer();
    await screen.findByText('1 letters');
    expect(server.count()).toBe(2);
  });

  it('is loaded again where a page shows it that was not there yet', async () => {
    const client = new FreshQueryClient();
    const server = slowServer();
    const loaded = client.fetchQuery({ queryKey, queryFn: server.ask });
    server.change();
    await client.invalidateQueries({ queryKey });
    server.answer();
    expect(await loaded).toBe(2);
    show(client, server.ask);
    await expect.poll(server.asked).toBe(1);
    server.answer();
    await screen.findByText('1 letters');
  });

  it('is loaded once when nothing changes behind it, and a failure harms nothing', async () => {
    const client = new FreshQueryClient({ defaultOptions: { queries: { retry: false } } });
    const failing = client.fetchQuery({ queryKey, queryFn: () => Promise.reject(new Error('away')) });
    await client.invalidateQueries({ queryKey });
    await expect(failing).rejects.toThrow('away');
    const server = slowServer();
    show(client, server.ask);
    server.answer();
    await screen.findByText('2 letters');
    expect(server.asked()).toBe(0);
  });
});
