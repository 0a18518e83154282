import type { WritableAtom } from 'nanostores';
import { addUnsavedWork } from '../../../lib/unsaved-work.ts';
import { uniqueId } from '../../../lib/unique-id.ts';
import { wordsOf } from '../../../lib/i18n.ts';
import { unsentWords } from '../../../words/compose-unsent.ts';
import { type Composition, isWritten } from './composition.ts';
import { forgetFile, forgetKept, keepFile, keepMessage, keepMessageNow, type KeptMessage } from './kept-messages.ts';
import { sayChanged, tabId } from './tabs.ts';

/** How soon after a change a message is kept. */
const SOON_MS = 300;

/**
 * Where a message is safe: `kept` in this browser, `memory` only while this tab is open.
 * `elsewhere`: another tab has taken the message, so what is written here becomes a separate
 * message.
 */
export type KeepState = 'kept' | 'memory' | 'elsewhere';

/** What a keeper needs of an open message. */
export interface Keepable {
  readonly composition: WritableAtom<Composition>;
  readonly keeping: WritableAtom<KeepState>;
  /** Files chosen here, by their ids. */
  readonly files: Map<string, File>;
  /** Takes over the text of the editor; set while the message is on the screen. */
  takeText: (() => void) | null;
  /** The person closed it to go on later. */
  isParked: boolean;
}

/** Keeps one open message in this browser: soon after each change, or at once on request. */
export class Keeper {
  readonly #message: Keepable;
  readonly #unlisten: () => void;
  #timer = 0;
  #queue: Promise<void> = Promise.resolve();
  /** The composition that was kept last. */
  #last: Composition | null;
  #hasRecord: boolean;
  /** No other tab has become the holder of the record. */
  #isMine = true;
  #keptFiles: Set<string>;
  #endUnsaved: (() => void) | null = null;

  /** @param isKept the composition is as this browser keeps it, and this tab is the holder */
  constructor(message: Keepable, isKept: boolean) {
    this.#message = message;
    this.#last = isKept ? message.composition.get() : null;
    this.#hasRecord = isKept;
    this.#keptFiles = new Set(isKept ? message.files.keys() : []);
    this.#unlisten = message.composition.listen(() => this.#schedule());
    if (!isKept) this.#schedule();
  }

  /** Writes what is not kept yet, and waits for what is being written. */
  async flush(): Promise<void> {
    this.#message.takeText?.();
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#queue = this.#queue.then(() => this.#save());
    await this.#queue;
  }

  /** In the last moment of a page: one write, without a question. */
  flushNow(): void {
    this.#message.takeText?.();
    const composition = this.#message.composition.get();
    if (composition === this.#last || !isWritten(composition)) return;
    // If the page stays open after all, the next write reports the failure
    if (this.#isMine) keepMessageNow(this.#recordOf(composition)).catch(() => undefined);
    else void this.flush();
  }

  /** Keeps the message again although it was not changed. */
  async keepAgain(): Promise<void> {
    this.#last = null;
    await this.flush();
  }

  /** Another tab is the holder now. */
  lose(): void {
    this.#isMine = false;
    this.#say('elsewhere');
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#unlisten();
    this.#endUnsaved?.();
  }

  /** Forgets the record: the message was sent, or discarded. */
  async forget(): Promise<void> {
    this.stop();
    await this.#queue;
    if (!this.#hasRecord || !this.#isMine) return;
    await forgetKept(this.#message.composition.get());
    sayChanged();
  }

  #schedule(): void {
    this.#timer ||= window.setTimeout(() => void this.flush(), SOON_MS);
  }

  async #save(): Promise<void> {
    const composition = this.#message.composition.get();
    if (composition === this.#last) return;
    try {
      if (isWritten(composition)) await this.#keep(composition);
      else await this.#unkeep(composition);
      this.#last = composition;
    } catch {
      // The storage is full, or the browser keeps nothing. The window says so, and the browser asks
      // before it closes the tab
      this.#say('memory');
    }
  }

  async #keep(composition: Composition): Promise<void> {
    const isFirst = !this.#hasRecord;
    const kept = this.#isMine ? await keepMessage(this.#recordOf(composition), isFirst) : 'elsewhere';
    if (kept === 'elsewhere') {
      await this.#keepAsAnother(composition);
      return;
    }
    this.#hasRecord = true;
    // After the text, which must not wait for them
    await this.#keepFiles(composition);
    // The line about another tab stays, because it is still true
    this.#say(this.#message.keeping.get() === 'elsewhere' ? 'elsewhere' : 'kept');
    if (isFirst) sayChanged();
  }

  /** Files are written once: they are large, and never change. */
  async #keepFiles(composition: Composition): Promise<void> {
    const wanted = new Set(composition.files.map(({ id }) => id));
    const missing = [...wanted].filter((id) => !this.#keptFiles.has(id));
    // While files are being written, the browser asks before it closes the tab
    if (missing.length > 0) this.#warn();
    for (const id of missing) {
      const file = this.#message.files.get(id);
      if (!file) continue;
      await keepFile(composition, id, file);
      this.#keptFiles.add(id);
    }
    for (const id of [...this.#keptFiles].filter((known) => !wanted.has(known))) {
      await forgetFile(composition, id);
      this.#keptFiles.delete(id);
    }
  }

  /**
   * Another tab has the message: what is written here becomes a separate message. Both share one
   * idempotency key, so that only one of them is sent.
   */
  async #keepAsAnother(composition: Composition): Promise<void> {
    const own = { ...composition, id: uniqueId() };
    this.#hasRecord = false;
    this.#keptFiles.clear();
    await keepMessage(this.#recordOf(own), true);
    this.#hasRecord = true;
    this.#isMine = true;
    await this.#keepFiles(own);
    this.#message.composition.set({ ...this.#message.composition.get(), id: own.id });
    this.#say('elsewhere');
    sayChanged();
  }

  async #unkeep(composition: Composition): Promise<void> {
    if (!this.#hasRecord) return;
    await forgetKept(composition);
    this.#hasRecord = false;
    this.#keptFiles.clear();
    this.#say('kept');
    sayChanged();
  }

  #recordOf(composition: Composition): KeptMessage {
    return { composition, holder: tabId, keptAt: Date.now(), isParked: this.#message.isParked };
  }

  #say(state: KeepState): void {
    this.#message.keeping.set(state);
    if (state === 'memory') this.#warn();
    else {
      this.#endUnsaved?.();
      this.#endUnsaved = null;
    }
  }

  #warn(): void {
    this.#endUnsaved ??= addUnsavedWork({
      name: wordsOf(unsentWords).unsavedName,
      survivesNavigation: true,
      isAskedAboutElsewhere: true,
    });
  }
}
