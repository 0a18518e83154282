import type { EmailDto } from '@selvage/core/contracts/email';
import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';
import { mailKeys } from './keys.ts';

/** A message is shown on its own page and on the pages of others of its conversation. */
const places = [mailKeys.details, mailKeys.alones, mailKeys.conversations];

/** Writes a change that the server has confirmed into a message; the same message if it has it. */
export type Patch = <R extends { _id: string; labels: string[] }>(row: R) => R;

/**
 * Writes a change into what is loaded under a key. That makes it no newer: what was outdated before
 * still is.
 * @param patch returns what it was given where nothing changes
 */
export function patchLoaded(client: QueryClient, queryKey: QueryKey, patch: (email: EmailDto) => EmailDto): void {
  for (const query of client.getQueryCache().findAll({ queryKey })) {
    const email = loadedIn(query);
    const { dataUpdatedAt: updatedAt, isInvalidated } = query.state;
    const patched = email && patch(email);
    if (patched === email) continue;
    client.setQueryData(query.queryKey, patched, { updatedAt });
    if (isInvalidated) query.invalidate();
  }
  readAgainIfOnItsWay(client, queryKey);
}

/** Changes messages wherever they are loaded. */
export function patchMessages(client: QueryClient, ids: ReadonlySet<string>, patch: Patch): void {
  const patched: Patch = (row) => (ids.has(row._id) ? patch(row) : row);
  for (const queryKey of places) {
    patchLoaded(client, queryKey, (email) => {
      const isChanged = rowsOf(email).some((row) => patched(row) !== row);
      if (!isChanged) return email;
      return { ...patched(email), replies: email.replies.map(patched), twins: email.twins.map(patched) };
    });
  }
}

/**
 * Marks as outdated what a change of whole conversations has reached beside the messages that stood
 * for them.
 */
export function outdateOthers(client: QueryClient, ids: ReadonlySet<string>, patch: Patch): void {
  const loaded = places.flatMap((queryKey) => client.getQueryCache().findAll({ queryKey }));
  const held = loaded.map(rowsIn).filter((rows) => rows.some(({ _id }) => ids.has(_id)));
  const reached = new Set(held.flat().flatMap((row) => (patch(row) === row ? [] : row._id)));
  for (const query of loaded) {
    const isReached = rowsIn(query).some(({ _id }) => reached.has(_id));
    if (isReached) void client.invalidateQueries({ queryKey: query.queryKey });
  }
}

/** Loads again if an answer is on its way, because that answer may be older than the change. */
function readAgainIfOnItsWay(client: QueryClient, queryKey: QueryKey): void {
  for (const query of client.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' })) {
    const readAgain = (): void => void client.invalidateQueries({ queryKey: query.queryKey, exact: true });
    void query.promise?.then(readAgain, readAgain);
  }
}

function loadedIn(query: Query): EmailDto | undefined {
  return query.state.data as EmailDto | undefined;
}

function rowsIn(query: Query): readonly EmailDto['twins'][number][] {
  const email = loadedIn(query);
  return email ? rowsOf(email) : [];
}

function rowsOf(email: EmailDto): readonly EmailDto['twins'][number][] {
  return [email, ...email.replies, ...email.twins];
}
