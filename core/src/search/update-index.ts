import type { Ctx } from '../context/context.ts';
import { log } from '../log.ts';
import type { EntryFacts, IndexChange, IndexState, KnownFolder, NewEntry } from '../search-index/index-messages.ts';
import {
  readChanged,
  readFolders,
  readOlder,
  readRemoved,
  type SourceEntry,
  type SourceFolder,
  withTexts,
} from './read-index-source.ts';
import { isTooCostly } from './search-threads.ts';

/*
 * An index follows its mailbox by MODSEQ. Everything beyond the numbers in the index is read from
 * the database, and stored in the index together with the new numbers. So an update can be
 * interrupted or repeated, and does not depend on notices of changes.
 *
 *   empty -- folders as they are --> building -- all entries read --> built -- changes --> built
 *
 * Entries that come or change while the index is built have higher MODSEQs than at the beginning,
 * so they are read afterwards. If the UIDs have changed (a restored host), the index is built
 * again.
 */

/** How much of the work to do. */
export interface UpdateLimits {
  /** In the time of `performance.now()`. */
  deadline: number;
  signal?: AbortSignal;
}

const batchRows = 200;
const removedRows = 2000;
/** How much of a text is indexed if the whole text is too costly. */
const firstCharacters = 1000;

/**
 * Brings the index of a mailbox up to date, or nearer to it within the limits.
 * @returns its state, whether it has everything that was in the mailbox at the call, and the number
 *   of messages in the mailbox
 */
export async function updateIndex(
  ctx: Ctx,
  userId: string,
  limits: UpdateLimits,
): Promise<{ state: IndexState; isCurrent: boolean; total: number }> {
  for (;;) {
    limits.signal?.throwIfAborted();
    const state = await ctx.app.search.run('state', { userId });
    const folders = await readFolders(ctx, userId);
    const total = folders.reduce((sum, folder) => sum + folder.total, 0);
    if (isOfOtherTimes(state, folders)) {
      await ctx.app.search.run('clear', { userId });
      continue;
    }
    const step = nextStep(state, folders);
    if (step === null) return { state, isCurrent: true, total };
    if (isOver(limits)) return { state, isCurrent: false, total };
    await step(ctx, userId, limits);
  }
}

function isOver({ deadline, signal }: UpdateLimits): boolean {
  signal?.throwIfAborted();
  return performance.now() >= deadline;
}

type Step = (ctx: Ctx, userId: string, limits: UpdateLimits) => Promise<void>;

/** The next step; null when the index is up to date. */
function nextStep(state: IndexState, folders: readonly SourceFolder[]): Step | null {
  if (!state.isBuilt && state.folders.length === 0) return (ctx, userId) => begin(ctx, userId, state, folders);
  if (!state.isBuilt) return (ctx, userId, limits) => build(ctx, userId, { state, limits });
  const known = new Map(state.folders.map((folder) => [folder.folderId, folder]));
  for (const folder of folders) {
    const { modseq } = known.get(folder.folderId) ?? beginningOf(folder);
    if (isBehind(modseq, folder.highestModseq)) {
      return (ctx, userId, limits) => follow(ctx, userId, { state, folder, limits });
    }
  }
  // A moved entry leaves one folder for another. At this point the index knows its new folder, so
  // its words are not removed
  const present = new Set(folders.map(({ folderId }) => folderId));
  const gone = state.folders.find(({ folderId }) => !present.has(folderId));
  if (gone) return (ctx, userId) => forgetFolder(ctx, userId, state, gone);
  const left = state.folders.find(({ modseq, removedModseq }) => isBehind(removedModseq, modseq));
  return left ? (ctx, userId) => forget(ctx, userId, state, left) : null;
}

interface Work {
  state: IndexState;
  limits: UpdateLimits;
}

/** Stores the present state of the folders: later changes have higher MODSEQs. */
async function begin(ctx: Ctx, userId: string, state: IndexState, folders: readonly SourceFolder[]): Promise<void> {
  const next = { folders: folders.map(presentOf), next: null, isBuilt: folders.length === 0 };
  await change(ctx, userId, state, { next });
}

/** Indexes a batch of the entries that existed when the building began. */
async function build(ctx: Ctx, userId: string, { state, limits }: Work): Promise<void> {
  const { folders } = state;
  const folderId = state.next?.folderId ?? folders[0]?.folderId ?? '0';
  const behind = state.next?.id ? state.next : null;
  const entries = await readOlder(ctx, { folderId, behind, limit: batchRows });
  const last = entries.at(-1);
  const following = folders[folders.findIndex((folder) => folder.folderId === folderId) + 1];
  const next =
    last && entries.length === batchRows
      ? { folderId, placedAt: last.placedAt, id: last.id }
      : following && { folderId: following.folderId, placedAt: 0, id: '' };
  const done = await addUnknown(ctx, userId, { state, entries, limits });
  if (done === null) return;
  const { changed } = done;
  await change(ctx, userId, done.state, {
    changed,
    next: { folders, next: next ?? null, isBuilt: next === undefined },
  });
}

/** Indexes a batch of the new and changed entries of a folder. */
async function follow(ctx: Ctx, userId: string, { state, folder, limits }: Work & { folder: SourceFolder }) {
  const { folderId, highestModseq } = folder;
  const known = state.folders.find((one) => one.folderId === folderId) ?? beginningOf(folder);
  const range = { folderId, since: known.modseq, upTo: highestModseq, limit: batchRows };
  const { entries, modseq } = await readChanged(ctx, range);
  const done = await addUnknown(ctx, userId, { state, entries, limits });
  if (done === null) return;
  const { changed } = done;
  await change(ctx, userId, done.state, { changed, next: withFolder(state, { ...known, modseq }) });
}

/** Removes a batch of the UIDs that left a folder. */
async function forget(ctx: Ctx, userId: string, state: IndexState, folder: KnownFolder): Promise<void> {
  const { folderId, modseq: upTo, removedModseq: since } = folder;
  const { uids, modseq } = await readRemoved(ctx, { folderId, since, upTo, limit: removedRows });
  const removed = uids.map((uid) => ({ folderId, uid }));
  await change(ctx, userId, state, { removed, next: withFolder(state, { ...folder, removedModseq: modseq }) });
}

/** Removes a folder that its owner has deleted, and the entries that were left in it. */
async function forgetFolder(ctx: Ctx, userId: string, state: IndexState, { folderId }: KnownFolder): Promise<void> {
  const folders = state.folders.filter((folder) => folder.folderId !== folderId);
  await change(ctx, userId, state, { removedFolder: folderId, next: { ...toldOf(state), folders } });
}

/**
 * Adds entries whose words are not in the index yet. The progress of the index stays the same. So
 * if this is interrupted, these entries are found in the index the next time.
 * @returns the state afterwards, and the entries that were in the index already; null when the time
 *   was over, or another process has changed the index meanwhile
 */
async function addUnknown(
  ctx: Ctx,
  userId: string,
  { state, entries, limits }: Work & { entries: readonly SourceEntry[] },
): Promise<{ state: IndexState; changed: EntryFacts[] } | null> {
  const ids = entries.map(({ id }) => id);
  const known = new Set(ids.length === 0 ? [] : await ctx.app.search.run('known', { userId, ids }));
  const changed = entries
    .filter(({ id }) => known.has(id))
    .map(({ id, folderId, uid, isUnread, isStarred }) => ({ id, folderId, uid, isUnread, isStarred }));
  const unknown = entries.filter(({ id }) => !known.has(id));
  let now = state;
  // A turn apart from the person's requests, so that indexing does not delay the messages that they
  // open
  const reading = { turn: `search:${userId}`, signal: limits.signal };
  for await (const added of withTexts(ctx, unknown, reading)) {
    const next = await add(ctx, userId, { state: now, added, limits });
    if (next === null || isOver(limits)) return null;
    now = next;
  }
  return { state: now, changed };
}

/**
 * Adds entries at once, or one by one if they are too costly together. If a single entry is too
 * costly, only its first words are indexed: a stranger has written it, and the other entries must
 * not wait for it.
 * @returns the state afterwards; null when another process has changed the index, or when the time
 *   was over after an entry that was too costly
 */
async function add(
  ctx: Ctx,
  userId: string,
  { state, added, limits }: Work & { added: readonly NewEntry[] },
): Promise<IndexState | null> {
  const [first, ...others] = added;
  try {
    return await change(ctx, userId, state, { added: [...added], next: toldOf(state) });
  } catch (error) {
    if (first === undefined || !isTooCostly(error)) throw error;
  }
  if (others.length === 0) {
    log.warn('a message is found by its first words alone', { userId, entryId: first.id });
    const next = await change(ctx, userId, state, { added: [firstWordsOf(first)], next: toldOf(state) });
    return isOver(limits) ? null : next;
  }
  let now: IndexState | null = state;
  for (const one of added) {
    limits.signal?.throwIfAborted();
    now = now && (await add(ctx, userId, { state: now, added: [one], limits }));
  }
  return now;
}

/** Cuts the texts of an entry. Its sender and subject are short in the index anyway. */
function firstWordsOf(entry: NewEntry): NewEntry {
  const cut = (text: string): string => text.slice(0, firstCharacters);
  return { ...entry, recipients: cut(entry.recipients), body: cut(entry.body), files: '', hasUnreadFiles: false };
}

async function change(
  ctx: Ctx,
  userId: string,
  { stamp }: IndexState,
  parts: Pick<IndexChange, 'next'> & Partial<IndexChange>,
): Promise<IndexState | null> {
  // When another process was faster, this returns null, and the next round begins with its state
  return await ctx.app.search.run('change', {
    userId,
    change: { added: [], changed: [], removed: [], ...parts, stamp },
  });
}

/** The progress of an index. */
function toldOf({ folders, next, isBuilt }: IndexState): IndexChange['next'] {
  return { folders, next, isBuilt };
}

/** The progress with one folder replaced. */
function withFolder(state: IndexState, folder: KnownFolder): IndexChange['next'] {
  const others = state.folders.filter(({ folderId }) => folderId !== folder.folderId);
  return { ...toldOf(state), folders: [...others, folder] };
}

function presentOf({ folderId, uidValidity, highestModseq }: SourceFolder): KnownFolder {
  return { folderId, uidValidity, modseq: highestModseq, removedModseq: highestModseq };
}

/** A folder of which nothing is indexed yet. */
function beginningOf({ folderId, uidValidity }: SourceFolder): KnownFolder {
  return { folderId, uidValidity, modseq: '0', removedModseq: '0' };
}

/**
 * Whether changes alone can't bring the index up to date. That is so for a folder:
 * - whose UIDs have changed;
 * - that was ahead of the present database, as after a restore;
 * - for which the database no longer has all UIDs that left it since the index read it.
 */
function isOfOtherTimes({ folders }: IndexState, present: readonly SourceFolder[]): boolean {
  const presentById = new Map(present.map((folder) => [folder.folderId, folder]));
  return folders.some(({ folderId, uidValidity, modseq, removedModseq }) => {
    const folder = presentById.get(folderId);
    if (folder === undefined) return false;
    if (folder.uidValidity !== uidValidity || isBehind(folder.highestModseq, modseq)) return true;
    return isBehind(removedModseq, folder.forgottenModseq);
  });
}

function isBehind(one: string, other: string): boolean {
  return BigInt(one) < BigInt(other);
}
