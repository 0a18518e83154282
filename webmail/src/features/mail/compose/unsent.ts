import { type DraftRowDto, getDraft } from '@selvage/core/contracts/drafts';
import { atom } from 'nanostores';
import { notify } from '../../../components/feedback/notify.ts';
import { restShortcuts } from '../../../hooks/use-shortcuts.ts';
import { api } from '../../../lib/api.ts';
import { ApiError, messageOf } from '../../../lib/api-error.ts';
import { wordsOf } from '../../../lib/i18n.ts';
import { loadModule } from '../../../lib/load-module.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { uniqueId } from '../../../lib/unique-id.ts';
import { unsentWords } from '../../../words/compose-unsent.ts';
import { currentSubject } from '../../../lib/session.ts';
import { unsentCount } from './compose-store.ts';
import type { Composition } from './composition.ts';
import { timesOf } from './draft-times.ts';
import { forgetKept, keepMessage, type KeptMessage, listKept, readFiles, takeKept } from './kept-messages.ts';
import { leaveDraft } from './lost-files.ts';
import { openElsewhere, sayChanged, sayTaken, tabId } from './tabs.ts';
import { dropMessage, findMessage, holdMessage, messages, OpenMessage, showMessage } from './windows.ts';

/** An unsent message that is open in no tab. */
export interface Unsent {
  composition: Composition;
  /** Milliseconds since 1970. */
  keptAt: number;
  isParked: boolean;
}

/** Unsent messages of the logged-in person, the latest first. */
export const unsent = atom<readonly Unsent[]>([]);

let refreshes = 0;

/** Reads the unsent messages again and returns them. */
export async function refreshUnsent(): Promise<readonly Unsent[]> {
  refreshes += 1;
  const turn = refreshes;
  const owner = currentSubject();
  const kept = owner === null ? [] : await readKept(owner);
  if (owner !== currentSubject()) return unsent.get();
  const shown = new Set(
    messages
      .get()
      .filter(({ isShown }) => isShown)
      .map(({ composition }) => composition.get().id),
  );
  const here = messages.get().filter((message) => !message.isShown && message.composition.get().owner === owner);
  const hidden = here.map(({ composition, isParked }) => ({
    composition: composition.get(),
    keptAt: Date.now(),
    isParked,
  }));
  const known = new Set([...shown, ...hidden.map(({ composition }) => composition.id)]);
  const all = [...hidden, ...kept.filter(({ composition }) => !known.has(composition.id))];
  // A later refresh that has finished before this one has the newer list
  if (turn === refreshes) {
    unsent.set(all);
    unsentCount.set(all.length);
  }
  return all;
}

/** Messages that this browser keeps and no other tab has open. */
async function readKept(owner: string): Promise<KeptMessage[]> {
  try {
    const kept = await listKept(owner);
    if (kept.length === 0) return [];
    const elsewhere = await openElsewhere();
    return kept.filter(({ composition }) => !elsewhere.has(composition.id));
  } catch {
    // A browser that keeps nothing has nothing kept
    return [];
  }
}

/** Messages that are being opened, by their names: a double press opens one window. */
const opening = new Map<string, Promise<void>>();

function openOnce(name: string, open: () => Promise<void>): Promise<void> {
  const known = opening.get(name);
  if (known) return known;
  // Letters that are typed before the window is there must not act on the list below it
  const endRest = restShortcuts();
  const opened = open().finally(() => {
    opening.delete(name);
    endRest();
  });
  opening.set(name, opened);
  return opened;
}

/** Opens an unsent message, unless another tab has it. */
export async function openUnsent(place: Pick<Composition, 'owner' | 'id'>): Promise<void> {
  await openPlace(place);
  await refreshUnsent();
}

function openPlace(place: Pick<Composition, 'owner' | 'id'>): Promise<void> {
  return openOnce(place.id, () => openKept(place));
}

async function openKept({ owner, id }: Pick<Composition, 'owner' | 'id'>): Promise<void> {
  try {
    const message = await findOrTake({ owner, id });
    if (message && owner === currentSubject()) showMessage(message);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'draft_not_found') await forgetGone({ owner, id });
    else if (owner === currentSubject()) sayNotOpened({ owner, id }, error);
  }
}

/** Finds the message to show, or the draft that has replaced it meanwhile. */
async function findOrTake(place: Pick<Composition, 'owner' | 'id'>): Promise<OpenMessage | null> {
  await replacing.get(place.id);
  const message = findMessage(place.id) ?? (await takeMessage(place));
  if (message) await fetchDraft(message);
  return replacing.has(place.id) ? findOrTake(place) : message;
}

/**
 * Forgets a message whose draft was sent or deleted elsewhere before this device had loaded its
 * text.
 */
async function forgetGone(place: Pick<Composition, 'owner' | 'id'>): Promise<void> {
  const message = findMessage(place.id);
  if (message) dropMessage(message);
  await forgetKept(place);
  void queryClient.invalidateQueries({ queryKey: ['mail'] });
  notify.info(wordsOf(unsentWords).draftGone);
}

function sayNotOpened(place: Pick<Composition, 'owner' | 'id'>, error: unknown): void {
  const t = wordsOf(unsentWords);
  notify.failure(t.notOpened({ reason: messageOf(error) }), {
    label: t.tryAgain,
    run: () => void openUnsent(place),
  });
}

/** Messages that are being taken, by their names: a second caller gets the same one. */
const taking = new Map<string, Promise<OpenMessage | null>>();

/** Makes this tab the holder of a kept message; null when another tab has it, or it is gone. */
export function takeMessage(place: Pick<Composition, 'owner' | 'id'>): Promise<OpenMessage | null> {
  const known = taking.get(place.id);
  if (known) return known;
  const taken = takeKeptMessage(place).finally(() => taking.delete(place.id));
  taking.set(place.id, taken);
  return taken;
}

async function takeKeptMessage(place: Pick<Composition, 'owner' | 'id'>): Promise<OpenMessage | null> {
  const t = wordsOf(unsentWords);
  if ((await openElsewhere()).has(place.id)) {
    notify.info(t.openElsewhere);
    return null;
  }
  const kept = await takeKept(place, tabId);
  if (!kept) return null;
  sayTaken(place.id);
  const { composition } = kept;
  const files = await readFiles(composition);
  const message = new OpenMessage(composition, { isKept: true, files });
  const lost = composition.files.filter(({ id }) => !files.has(id));
  if (lost.length > 0) {
    message.fileProblems.set(lost.map(({ name }) => t.fileLost({ name })));
    message.composition.set({ ...composition, files: composition.files.filter(({ id }) => files.has(id)) });
  }
  return message;
}

/**
 * Loads the content of a message that was taken back. Until it is opened, only the server has it.
 */
async function fetchDraft({ composition }: OpenMessage): Promise<void> {
  const { origin, owner } = composition.get();
  if (origin.kind !== 'draft' || origin.isRead) return;
  const draft = await api(getDraft, { params: { id: origin.draftId }, as: owner });
  const { compositionOfDraft } = await loadModule(() => import('./start-composition.ts'));
  composition.set(compositionOfDraft(draft, composition.get()));
}

/**
 * Opens the draft that a sent message has become. It is put among the unsent messages first, so
 * that the person can open it later if the load fails.
 */
export async function openDraft(draft: DraftPlace): Promise<void> {
  await keepDraft(draft);
  await openUnsent(draft);
}

/** Messages whose place a draft is taking, by their names. */
const replacing = new Map<string, Promise<void>>();

/**
 * Replaces a message by the draft that it has become, so that a press on an old row of the list
 * opens the draft.
 */
export async function replaceByDraft(message: OpenMessage, draftId: string): Promise<void> {
  const { id, subject, owner, sendAt, remindAt } = message.composition.get();
  const replace = async (): Promise<void> => {
    dropMessage(message);
    await message.keeper.forget();
    await keepDraft({ draftId, subject, owner, id, sendAt, remindAt });
  };
  const replaced = replace().finally(() => replacing.delete(id));
  replacing.set(id, replaced);
  await replaced;
}

/** Puts a draft that a sent message has become among the unsent messages. */
async function keepDraft(draft: DraftPlace): Promise<void> {
  const composition = placeOf(draft);
  const record = { composition, holder: tabId, keptAt: Date.now(), isParked: false };
  try {
    await keepMessage(record, true);
    sayChanged();
  } catch {
    // In a browser that keeps nothing, the tab holds the message
    holdMessage(new OpenMessage(composition, { isKept: false }));
  }
}

/**
 * Opens a draft of the list. If this device has changes that did not reach the server, they are
 * newer, and the person continues with those.
 */
export async function openSavedDraft(draft: Pick<DraftRowDto, '_id' | 'subject'>): Promise<void> {
  await openOnce(`draft ${draft._id}`, () => openKnownDraft(draft));
  await refreshUnsent();
}

async function openKnownDraft({ _id: draftId, subject }: Pick<DraftRowDto, '_id' | 'subject'>): Promise<void> {
  const owner = currentSubject();
  if (owner === null) return;
  const isThisOne = ({ origin }: Composition): boolean => origin.kind === 'draft' && origin.draftId === draftId;
  const open = messages.get().find(({ composition }) => isThisOne(composition.get()));
  const here =
    open?.composition.get() ?? (await refreshUnsent()).find((one) => isThisOne(one.composition))?.composition;
  if (here) {
    await openPlace(here);
    return;
  }
  const place = { draftId, subject, owner, id: uniqueId(), ...timesOf(owner, draftId) };
  await keepDraft(place);
  await openPlace(place);
}

interface DraftPlace {
  draftId: string;
  subject: string;
  owner: string;
  /** The key of its record in this browser. */
  id: string;
  /** When it was to be sent. */
  sendAt?: string | null | undefined;
  /** When its sender was to be reminded. */
  remindAt?: string | null | undefined;
}

function placeOf({ draftId, subject, owner, id, sendAt = null, remindAt = null }: DraftPlace): Composition {
  const lists = { to: [], cc: [], bcc: [] };
  return {
    id,
    owner,
    key: uniqueId(),
    origin: { kind: 'draft', draftId, files: [], isRead: false },
    from: null,
    lists,
    typed: { to: '', cc: '', bcc: '' },
    subject,
    html: '',
    isTextChanged: false,
    signature: null,
    files: [],
    dropped: [],
    sendAt,
    remindAt,
    start: { lists, subject },
    attempt: null,
  };
}

/** Opens a message again from the copy here, because its draft is gone. */
export function reopen(composition: Composition, files: Map<string, File>): void {
  const message = new OpenMessage(composition, { isKept: false, files });
  leaveDraft(message);
  showMessage(message);
}
