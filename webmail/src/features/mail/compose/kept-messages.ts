import { unsentDays } from '@selvage/core/contracts/mail';
import { createStore, promisifyRequest } from 'idb-keyval';
import { unsentDatabases } from '../../../lib/further-storage-keys.ts';
import { OF_UNSENT } from '../../../lib/storage-keys.ts';
import type { Composition } from './composition.ts';

/*
 * Unsent messages of this browser, in IndexedDB, so that neither a reload nor a crash nor a session
 * that ended loses one. One record holds a message, others hold its files. They are in two
 * databases, so that a typed text never waits for a large file:
 *
 *   selvage-unsent        m/<person>/<message>         KeptMessage
 *   selvage-unsent-files  f/<person>/<message>/<file>  KeptFile
 *
 * IndexedDB may drop the last write of a page that is closing. So such a page writes to
 * localStorage, and the next listing moves the message to the database.
 *
 * A record has one holder, the tab that shows the message. A tab that finds another holder does not
 * write, so two tabs never overwrite each other.
 */

export interface KeptMessage {
  composition: Composition;
  /** The tab that writes it, or wrote it last. */
  holder: string;
  /** Milliseconds since 1970. */
  keptAt: number;
  /** The person closed it to go on later, so the app does not offer it by itself. */
  isParked: boolean;
}

interface KeptFile {
  file: Blob;
  keptAt: number;
}

/**
 * The outcome of an attempt to keep a message: `elsewhere` when another tab holds it, or has sent
 * or discarded it.
 */
export type Kept = 'kept' | 'elsewhere';

const DAY_MS = 86_400_000;
/** The prefix of the localStorage keys of messages that were kept while their page was closing. */
export const LAST_MOMENTS = `${OF_UNSENT}/`;

const inStore = createStore(unsentDatabases.messages, 'messages');
const inFiles = createStore(unsentDatabases.files, 'files');

type Place = Pick<Composition, 'owner' | 'id'>;

function messageKey({ owner, id }: Place): string {
  return `m/${owner}/${id}`;
}

function fileKeys({ owner, id }: Place): IDBKeyRange {
  return below(`f/${owner}/${id}/`);
}

function below(prefix: string): IDBKeyRange {
  return IDBKeyRange.bound(prefix, `${prefix}\uffff`);
}

/** Keeps a message. `isFirst` when this tab has not kept it before. */
export async function keepMessage(message: KeptMessage, isFirst: boolean): Promise<Kept> {
  const key = messageKey(message.composition);
  return inStore('readwrite', async (store) => {
    const known = await promisifyRequest<KeptMessage | undefined>(store.get(key));
    if (known ? known.holder !== message.holder : !isFirst) return 'elsewhere';
    store.put(message, key);
    await promisifyRequest(store.transaction);
    localStorage.removeItem(lastMomentKey(message.composition));
    return 'kept';
  });
}

function lastMomentKey({ owner, id }: Place): string {
  return `${LAST_MOMENTS}${owner}/${id}`;
}

/**
 * Keeps a message while the page is closing. There is no time to look up the holder, so the caller
 * must know that it is this tab.
 */
export async function keepMessageNow(message: KeptMessage): Promise<void> {
  try {
    localStorage.setItem(lastMomentKey(message.composition), JSON.stringify(message));
  } catch {
    // The message is too large for localStorage, as one with pictures may be
    await putNow(message);
  }
}

function putNow(message: KeptMessage): Promise<void> {
  return inStore('readwrite', async (store) => {
    store.put(message, messageKey(message.composition));
    store.transaction.commit();
    await promisifyRequest(store.transaction);
  });
}

export async function keepFile(place: Place, fileId: string, file: Blob): Promise<void> {
  const kept: KeptFile = { file, keptAt: Date.now() };
  await inFiles('readwrite', (store) => {
    store.put(kept, `f/${place.owner}/${place.id}/${fileId}`);
    return promisifyRequest(store.transaction);
  });
}

/** Moves the messages that closing pages have left in localStorage to the database. */
async function settleLastMoments(): Promise<void> {
  for (const key of Object.keys(localStorage).filter((name) => name.startsWith(LAST_MOMENTS))) {
    const kept = localStorage.getItem(key);
    const message = kept === null ? null : messageOf(kept);
    if (message) await putUnlessTaken(message);
    // The page may have come back meanwhile, and ended again
    if (localStorage.getItem(key) === kept) localStorage.removeItem(key);
  }
}

function messageOf(kept: string): KeptMessage | null {
  try {
    return JSON.parse(kept) as KeptMessage;
  } catch {
    return null;
  }
}

async function putUnlessTaken(message: KeptMessage): Promise<void> {
  const key = messageKey(message.composition);
  await inStore('readwrite', async (store) => {
    const known = await promisifyRequest<KeptMessage | undefined>(store.get(key));
    if (!known || known.holder === message.holder) store.put(message, key);
    await promisifyRequest(store.transaction);
  });
}

/** The messages of a person, the latest first. */
export async function listKept(owner: string): Promise<KeptMessage[]> {
  await settleLastMoments();
  const all = await inStore('readonly', (store) => promisifyRequest<KeptMessage[]>(store.getAll(below(`m/${owner}/`))));
  return all.toSorted((a, b) => b.keptAt - a.keptAt);
}

/** Makes a tab the holder of a message, and gives it; null when the message is gone. */
export async function takeKept(place: Place, holder: string): Promise<KeptMessage | null> {
  return inStore('readwrite', async (store) => {
    const known = await promisifyRequest<KeptMessage | undefined>(store.get(messageKey(place)));
    if (!known) return null;
    const taken = { ...known, holder };
    store.put(taken, messageKey(place));
    await promisifyRequest(store.transaction);
    return taken;
  });
}

/** The files of a message, by their ids. */
export async function readFiles({ owner, id, files }: Composition): Promise<Map<string, File>> {
  const found = new Map<string, File>();
  for (const { id: fileId, name, type } of files) {
    const key = `f/${owner}/${id}/${fileId}`;
    const kept = await inFiles('readonly', (store) => promisifyRequest<KeptFile | undefined>(store.get(key)));
    if (kept) found.set(fileId, new File([kept.file], name, { type }));
  }
  return found;
}

/** Forgets a message and its files: it was sent, or discarded. */
export async function forgetKept(place: Place): Promise<void> {
  localStorage.removeItem(lastMomentKey(place));
  await inStore('readwrite', (store) => {
    store.delete(messageKey(place));
    return promisifyRequest(store.transaction);
  });
  await inFiles('readwrite', (store) => {
    store.delete(fileKeys(place));
    return promisifyRequest(store.transaction);
  });
}

export async function forgetFile({ owner, id }: Place, fileId: string): Promise<void> {
  await inFiles('readwrite', (store) => {
    store.delete(`f/${owner}/${id}/${fileId}`);
    return promisifyRequest(store.transaction);
  });
}

/** Deletes the expired messages of all people, and files without a message. */
export async function forgetOld(now = Date.now()): Promise<void> {
  const alive = await forgetOldMessages(now - unsentDays * DAY_MS);
  await inFiles('readwrite', async (store) => {
    for (const key of await promisifyRequest<IDBValidKey[]>(store.getAllKeys())) {
      const [, owner, id] = String(key).split('/');
      if (alive.has(`${owner}/${id}`)) continue;
      const file = await promisifyRequest<KeptFile | undefined>(store.get(key));
      // The message of a recent file may not be known here yet
      if (file && file.keptAt < now - DAY_MS) store.delete(key);
    }
    await promisifyRequest(store.transaction);
  });
}

/**
 * Deletes messages that were not changed since the given time. Returns the names of the others, as
 * `<person>/<message>`.
 */
async function forgetOldMessages(since: number): Promise<Set<string>> {
  const alive = new Set<string>();
  await inStore('readwrite', async (store) => {
    for (const { composition, keptAt } of await promisifyRequest<KeptMessage[]>(store.getAll(below('m/')))) {
      if (keptAt < since) store.delete(messageKey(composition));
      else alive.add(`${composition.owner}/${composition.id}`);
    }
    await promisifyRequest(store.transaction);
  });
  return alive;
}
