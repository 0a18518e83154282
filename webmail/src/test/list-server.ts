import { afterEach, vi } from 'vitest';

type Query = Record<string, string>;

/** A simulated server of a list, in place of `fetch`: the calls it got, and how it answers. */
export interface ListServer {
  /** The query of each call, in order. */
  asked: Query[];
  /** The failure with which it answers, while not null. */
  failure: string | null;
  /** Delays all answers until the returned function is called. */
  hold: () => () => void;
}

afterEach(() => vi.unstubAllGlobals());

/**
 * Simulates the server of a list. `find` returns the rows that match a query, and one page of them
 * is answered.
 */
export function serveList<Row>(find: (query: Query) => readonly Row[]): ListServer {
  let gate: Promise<void> = Promise.resolve();
  const server: ListServer = {
    asked: [],
    failure: null,
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
  };
  vi.stubGlobal('fetch', async (url: string) => {
    const query = Object.fromEntries(new URL(url, window.location.href).searchParams);
    server.asked.push(query);
    await gate;
    if (server.failure) return Response.json({ success: false, message: server.failure }, { status: 500 });
    return Response.json({ success: true, message: '', ...pageOf(find(query), query) });
  });
  return server;
}

function pageOf<Row>(rows: readonly Row[], query: Query) {
  const [pageNumber, pageSize] = [Number(query['page']), Number(query['limit'])];
  const data = rows.slice((pageNumber - 1) * pageSize, pageNumber * pageSize);
  const pagination = { totalData: rows.length, totalPages: Math.ceil(rows.length / pageSize), pageNumber, pageSize };
  return { data, pagination };
}
