import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { type DraftDto, removeDrafts } from '@selvage/core/contracts/drafts';
import type { AttachmentDto } from '@selvage/core/contracts/email';
import { atom, type ReadableAtom, type WritableAtom } from 'nanostores';
import { ApiError } from '../../../lib/api-error.ts';
import { can } from '../../../lib/can.ts';
import { uniqueId } from '../../../lib/unique-id.ts';
import { currentUserKey, queryClient } from '../../../lib/query-client.ts';
import { currentSubject } from '../../../lib/session.ts';
import {
  carriedFiles,
  type Composition,
  isChanged,
  isCopy,
  isDraftChanged,
  type UnansweredSave,
} from './composition.ts';
import { postDraft } from './finished-message.ts';
import { isReadable } from './is-readable.ts';
import { lostFiles } from './lost-files.ts';
import { leaveOutUnreadable } from './unreadable-files.ts';

/*
 * A message becomes a draft of the server while it is written, so that it can be finished on
 * another device although its window was never closed. This browser keeps it as well, and sooner
 * (keeping.ts).
 *
 * A draft that was changed elsewhere since it was read here is never saved over: the person
 * chooses.
 *
 * The server may have carried out a save whose answer was lost. The message remembers such a save,
 * even after a crash, until the page has repeated it under the same key. Until then nothing else of
 * the message is saved.
 */

/** How long after the last change it is saved, and how long after the first one at the latest. */
const QUIET_MS = 3_000;
const LONGEST_MS = 10_000;
/** Saves are this far apart: the server takes 600 an hour. */
const APART_MS = 8_000;
/**
 * A text with more characters, such as one with pictures in it, is saved less often, because each
 * save sends all of it.
 */
const LARGE_TEXT = 300_000;
const LARGE_APART_MS = 60_000;
const LONGEST_BACK_OFF_MS = 300_000;

/**
 * `changed`: it was changed elsewhere. `gone`: it was sent or deleted elsewhere. Both wait for the
 * person.
 */
export type SaveState = 'idle' | 'saving' | 'saved' | 'failed' | 'changed' | 'gone';

/** The parts of an open message that the saver needs. */
interface Savable {
  readonly composition: WritableAtom<Composition>;
  readonly files: Map<string, File>;
  readonly state: ReadableAtom<{ phase: string }>;
  /** Why files were left out. */
  readonly fileProblems: WritableAtom<readonly string[]>;
  isShown: boolean;
  takeText: (() => void) | null;
}

/** Saves one open message among the drafts of the server, some seconds after each change. */
export class Autosaver {
  readonly state = atom<SaveState>('idle');
  /** Why the server refused the last save, in words for the person; null when it did not. */
  readonly refusal = atom<string | null>(null);
  /** How much of the files of the save under way is uploaded, 0 to 1; null without files. */
  readonly progress = atom<number | null>(null);
  readonly #message: Savable;
  readonly #unlisten: () => void;
  #timer = 0;
  /** When the first unsaved change was made; 0 without one. */
  #since = 0;
  #lastAt = 0;
  #failures = 0;
  #running: Promise<void> | null = null;
  /** The save that waits for its answer. */
  #posting: { save: UnansweredSave; draft: Promise<DraftDto> } | null = null;
  /** The last save of this page, and the draft that it made. */
  #saved: { composition: Composition; draft: DraftDto } | null = null;
  /** The files of a save that this page has begun: the person may take them away meanwhile. */
  readonly #filesOf = new WeakMap<UnansweredSave, readonly File[]>();

  constructor(message: Savable) {
    this.#message = message;
    this.#unlisten = message.composition.listen((now, before) => {
      // The begin or end of a save is no change by the person
      if (now.unanswered === before?.unanswered) this.#schedule();
    });
  }

  /**
   * Waits for the save that is under way, and begins no other one meanwhile. If a save was not
   * answered, asks the server whether it was carried out.
   */
  async settle(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = 0;
    await this.#running;
    if (this.#unanswered()) await this.#save(false);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#unlisten();
  }

  /** The draft that holds exactly this composition; null when the server's draft differs. */
  savedAs(composition: Composition): DraftDto | null {
    if (composition.unanswered) return null;
    return this.#saved && isSame(this.#saved.composition, composition) ? this.#saved.draft : null;
  }

  /** Whether the server's draft may differ from this message because of a save by this page. */
  isBehind(): boolean {
    const composition = this.#message.composition.get();
    return Boolean(composition.unanswered) || (this.#saved !== null && this.savedAs(composition) === null);
  }

  /**
   * Notes an error that says that the draft was changed or deleted elsewhere. False for other
   * errors.
   */
  noteOvertaken(error: unknown): boolean {
    const code = error instanceof ApiError ? error.code : null;
    if (code !== 'changed_meanwhile' && code !== 'draft_not_found') return false;
    this.state.set(code === 'changed_meanwhile' ? 'changed' : 'gone');
    return true;
  }

  /** Saves what is written here as a draft of its own: the person keeps both. */
  async saveAsAnother(): Promise<void> {
    this.#message.takeText?.();
    await this.settle();
    // The supposed change elsewhere may have been a save by this page
    await this.#begin(this.#isOvertaken());
  }

  /**
   * Repeats a save that was not answered, or saves the message as it is now. The message continues
   * as the resulting draft.
   * @throws ApiError
   */
  async post(isCopy: boolean): Promise<DraftDto> {
    const save = this.#unanswered() ?? this.#beginSave(isCopy);
    // The timer and a window that closes may both have waited for the save before. If the answer to
    // one save were taken twice, its files would count as removed since
    if (this.#posting?.save !== save) this.#posting = { save, draft: this.#post(save) };
    const posting = this.#posting;
    const ended = posting.draft.then(
      () => undefined,
      () => undefined,
    );
    this.#running = ended;
    try {
      return await posting.draft;
    } finally {
      if (this.#running === ended) this.#running = null;
      if (this.#posting === posting) this.#posting = null;
    }
  }

  /**
   * Repeats a save that was not answered, to learn which draft it has made. The message does not
   * continue as that draft.
   * @throws ApiError
   */
  async learnDraft(): Promise<DraftDto | null> {
    const save = this.#unanswered();
    return save && postDraft(save, { files: this.#filesOf.get(save) ?? [], onProgress: () => undefined });
  }

  async #post(save: UnansweredSave): Promise<DraftDto> {
    const files = this.#filesOf.get(save) ?? [];
    try {
      const draft = await postDraft(save, { files, onProgress: (share) => this.#noteUpload(files, share) });
      this.state.set(this.#take(save.composition, draft) ? 'saved' : 'saving');
      return draft;
    } catch (error) {
      if (isFinal(error) || (await this.#hasUnreadable(files))) this.#forget();
      throw error;
    } finally {
      this.progress.set(null);
    }
  }

  /**
   * Whether one of the files can no longer be read, so that the save did not reach the server. The
   * message goes on without it.
   */
  async #hasUnreadable(files: readonly File[]): Promise<boolean> {
    const areReadable = await Promise.all(files.map(isReadable));
    if (!areReadable.includes(false)) return false;
    await leaveOutUnreadable(this.#message);
    return true;
  }

  /** An upload whose first report says that it is over was too short to be shown. */
  #noteUpload(files: readonly File[], share: number): void {
    if (files.length > 0 && (share < 1 || this.progress.get() !== null)) this.progress.set(share);
  }

  /** The save that was not answered, if it can be made as it was. */
  #unanswered(): UnansweredSave | null {
    const { unanswered = null } = this.#message.composition.get();
    if (unanswered === null || this.#filesOf.has(unanswered)) return unanswered;
    const files = this.#filesNow(unanswered.composition);
    if (files.length === unanswered.composition.files.length) {
      this.#filesOf.set(unanswered, files);
      return unanswered;
    }
    // A file was removed before this page was opened
    this.#forget();
    return null;
  }

  #beginSave(isCopy: boolean): UnansweredSave {
    const composition = this.#message.composition.get();
    const save = { key: uniqueId(), composition, isCopy };
    this.#filesOf.set(save, this.#filesNow(composition));
    this.#message.composition.set({ ...composition, unanswered: save });
    return save;
  }

  #filesNow({ files }: Composition): File[] {
    return files.flatMap(({ id }) => this.#message.files.get(id) ?? []);
  }

  #forget(): void {
    this.#message.composition.set({ ...this.#message.composition.get(), unanswered: null });
  }

  /** @returns whether the message is unchanged since it was saved */
  #take(written: Composition, draft: DraftDto): boolean {
    const now = this.#message.composition.get();
    const isWhole = isSame(now, written);
    const { fileProblems } = this.#message;
    const lost = lostFiles(written, draft);
    if (lost.length > 0) fileProblems.set([...fileProblems.get(), ...lost]);
    goOnFrom(this.#message, written, draft);
    this.#saved = { composition: isWhole ? this.#message.composition.get() : written, draft };
    return isWhole;
  }

  #schedule(): void {
    if (!this.#isWanted()) return;
    if (this.state.get() === 'saved') this.state.set('saving');
    const now = Date.now();
    this.#since ||= now;
    const wished = Math.min(now + QUIET_MS, this.#since + LONGEST_MS);
    clearTimeout(this.#timer);
    const wait = Math.max(wished, this.#lastAt + this.#apart()) - now;
    this.#timer = window.setTimeout(() => void this.#run(), wait);
  }

  #apart(): number {
    const usual = this.#message.composition.get().html.length > LARGE_TEXT ? LARGE_APART_MS : APART_MS;
    return Math.min(usual * 2 ** this.#failures, LONGEST_BACK_OFF_MS);
  }

  #isOvertaken(): boolean {
    return ['changed', 'gone'].includes(this.state.get());
  }

  #isWanted(): boolean {
    const { composition: current, state, isShown } = this.#message;
    const composition = current.get();
    const isWriting = state.get().phase === 'writing' && composition.attempt === null;
    if (this.#isOvertaken() || !isShown || !isWriting || composition.owner !== currentSubject() || !mayBeDraft())
      return false;
    if (composition.unanswered) return true;
    if (this.#saved) return !isSame(this.#saved.composition, composition);
    const { origin } = composition;
    return origin.kind === 'draft' ? origin.isRead && isDraftChanged(composition) : isChanged(composition);
  }

  async #run(): Promise<void> {
    this.#timer = 0;
    await this.#running;
    this.#message.takeText?.();
    clearTimeout(this.#timer);
    if (this.#isWanted()) await this.#begin(false);
  }

  async #begin(isCopy: boolean): Promise<void> {
    await this.#save(isCopy);
    this.#schedule();
  }

  async #save(isCopy: boolean): Promise<void> {
    this.#since = 0;
    this.state.set('saving');
    try {
      await this.post(isCopy);
      this.#failures = 0;
      this.refusal.set(null);
    } catch (error) {
      // The window shows the failure. This browser keeps the text, and the saver tries again
      this.#failures += 1;
      const isOvertaken = this.noteOvertaken(error);
      if (!isOvertaken) this.state.set('failed');
      this.refusal.set(isOvertaken ? null : refusalIn(error));
    }
    this.#lastAt = Date.now();
  }
}

/**
 * Whether a refusal is final for this save. Other refusals may come before the server has looked
 * for the draft.
 */
function isFinal(error: unknown): boolean {
  return error instanceof ApiError && [404, 409, 413, 422].includes(error.status);
}

/**
 * What the server says against the draft itself, such as that the mailbox is full. A server that is
 * away, and a session that has ended, are shown elsewhere.
 */
function refusalIn(error: unknown): string | null {
  const isMeant = error instanceof ApiError && [403, 409, 413, 422, 429].includes(error.status);
  return isMeant ? error.message : null;
}

/**
 * Each save but the first one edits the draft, so the person must be allowed to edit. They must
 * also be allowed to delete, or the draft would stay in their way.
 */
function mayBeDraft(): boolean {
  const person = queryClient.getQueryData<CurrentUserDto>(currentUserKey);
  const flags = ['create', 'edit'] as const;
  return flags.every((action) => can(person, { model: 'draft', action })) && can(person, removeDrafts);
}

const contentNames = ['from', 'lists', 'typed', 'subject', 'html', 'files', 'dropped'] as const;

function isSame(one: Composition, other: Composition): boolean {
  return one.origin === other.origin && contentNames.every((name) => one[name] === other[name]);
}

/**
 * Lets the message continue as the draft that was saved. Files that the person removed during the
 * save are removed from the draft as well.
 */
function goOnFrom({ composition, files }: Pick<Savable, 'composition' | 'files'>, saved: Composition, draft: DraftDto) {
  const now = composition.get();
  const uploaded = new Set(saved.files.map(({ id }) => id));
  for (const id of uploaded) files.delete(id);
  const { _id: draftId, attachments, version } = draft;
  composition.set({
    ...now,
    origin: { kind: 'draft', draftId, files: attachments, isRead: true, version, begunAs: begunAs(saved) },
    files: now.files.filter(({ id }) => !uploaded.has(id)),
    dropped: droppedSince(saved, now, attachments),
    unanswered: null,
  });
}

function begunAs({ origin }: Composition): 'new' | 'reply' | 'forward' | undefined {
  return origin.kind === 'draft' ? origin.begunAs : origin.kind;
}

/** Files of the draft that the person removed while it was saved. */
function droppedSince(saved: Composition, now: Composition, attachments: readonly AttachmentDto[]): string[] {
  const left = attachments.slice(0, attachments.length - saved.files.length);
  const dropped: string[] = [];
  // Files with the same name and size are in the same order in both lists
  for (const file of carriedFiles(saved)) {
    const at = left.findIndex((other) => isCopy(file, other));
    const [copy] = at === -1 ? [] : left.splice(at, 1);
    if (copy && now.dropped.includes(file._id)) dropped.push(copy._id);
  }
  return [...dropped, ...droppedUploads(saved, now, attachments)];
}

/** The server lists uploaded files after the others, in their order. */
function droppedUploads(saved: Composition, now: Composition, attachments: readonly AttachmentDto[]): string[] {
  const own = attachments.slice(attachments.length - saved.files.length);
  const kept = new Set(now.files.map(({ id }) => id));
  return saved.files.flatMap(({ id }, index) => (kept.has(id) ? [] : (own[index]?._id ?? [])));
}
