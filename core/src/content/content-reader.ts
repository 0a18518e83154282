import { randomUUID } from 'node:crypto';
import { blockOf } from '../access/network-of.ts';
import type { BlobStore, ContentReader, StoredBlob } from '../context/app.ts';
import type { DnsResolver } from '../dns/resolver.ts';
import { FairQueue } from '../fair-queue.ts';
import type { AuthenticationInput } from '../mail/authenticate-message.ts';
import type { CompletionInput } from '../mail/complete-headers.ts';
import { bodyOffset } from '../mail/crlf.ts';
import { withoutForgedResults } from '../mail/forged-results.ts';
import { measureHeader } from '../mail/header-guard.ts';
import { type MessageSummary, MessageTooComplex, noList, type ParseLimits } from '../mail/parsed-message.ts';
import { type ShownMessage, showSource } from '../mail/show-message.ts';
import { reportingLoss, streamBlob, wholeBlob } from '../mailstore/read-blob.ts';
import type { SigningKey } from '../mail/sign-message.ts';
import type { Config } from '../process/config.ts';
import { decodeBytes } from '../mail/decode-bytes.ts';
import { RecentCache } from '../recent-cache.ts';
import { shareBytes } from '../share-bytes.ts';
import * as tasks from '../mail/message-tasks.ts';
import { AnswerTurns } from './answer-turns.ts';
import type { Runners, ThreadSettings } from './thread.ts';
import { type TaskOptions, ThreadPool } from './thread-pool.ts';

/**
 * Up to this size a message is read in the process itself, as most mail is. A thread costs half a
 * millisecond of processor time, and more while its code is cold. The costliest known message of 64
 * KB takes 60 ms, and the cost grows with the size, so the event loop is never blocked for 100 ms.
 */
const smallBytes = 98_304;
/** The same limit for messages shown as HTML, where the sanitiser takes longer: 75 ms at most. */
const smallShownBytes = 32_768;
/**
 * The same limit for what a person is writing, in UTF-16 units. It is sanitised twice and then read
 * for its words: 55 ms at most.
 */
const smallWrittenLength = 16_384;
/** The same limit for the words of a message: HTML of nothing but paragraphs takes 60 ms. */
const smallSearchedBytes = 73_728;
/**
 * Up to this size a message is signed in the process: its body is read once, whatever it contains,
 * at 15 ms a megabyte.
 */
const smallToSignBytes = 1_048_576;
/**
 * A header beyond one of these bounds is read in a thread. Most headers have less than 20 KB.
 * Within these bounds, even quadratic time is short.
 */
const smallHeader = { maxHeaderBytes: 65_536, maxHeaderLines: 1000, maxHeaderFields: 500, maxFieldBytes: 16_384 };

/**
 * Processor time for the files of a message. The task stops before that by itself, after a page or
 * a file. If one page takes longer, its thread is ended.
 */
const filesCpuSeconds = 1;

/**
 * Shown texts are cached in memory, because opening a message reads its text twice: once for the
 * answer of the API and once for the page.
 */
const shownBytes = 64 * 1_048_576;
const sourceBytes = 65_536;

type Settings = Pick<
  Config,
  'blobStore' | 'hostname' | 'contentThreads' | 'contentCpuSeconds' | 'contentMemoryMegabytes' | 'maxMessageBytes'
>;
type Input<Task extends keyof Runners> = Parameters<Runners[Task]>[0];
type Output<Task extends keyof Runners> = Awaited<ReturnType<Runners[Task]>>;

/** Opens the reader of a process. Its threads start when they are needed. */
export function openContentReader(config: Settings, parts: { blobs: BlobStore; resolver: DnsResolver }): ContentReader {
  return new ThreadedReader(config, parts);
}

class ThreadedReader implements ContentReader {
  readonly #config: Settings;
  readonly #blobs: BlobStore;
  readonly #resolver: DnsResolver;
  readonly #pool: ThreadPool;
  readonly #answerTurns = new AnswerTurns();
  readonly #searchedFiles = new FairQueue({ atOnce: 1, waiting: 1000 });
  readonly #shown = new RecentCache<ShownMessage>(shownBytes);
  readonly #showing = new Map<string, Promise<ShownMessage>>();

  constructor(config: Settings, { blobs, resolver }: { blobs: BlobStore; resolver: DnsResolver }) {
    this.#config = config;
    this.#blobs = blobs;
    this.#resolver = resolver;
    const settings: ThreadSettings = { blobDirectory: config.blobStore.directory };
    this.#pool = new ThreadPool(new URL('./thread.ts', import.meta.url), settings, {
      threads: config.contentThreads,
      cpuSeconds: config.contentCpuSeconds,
      memoryMegabytes: config.contentMemoryMegabytes,
      // The memory that a legitimate message needs: its bytes, the decoded parts, and their joined
      // copy
      bufferMegabytes: config.contentMemoryMegabytes + (config.maxMessageBytes * 4) / 1_048_576,
      wallSeconds: 45,
    });
  }

  async summarise(source: Buffer | StoredBlob, key: string) {
    if (Buffer.isBuffer(source)) {
      return await readHere(source, smallBytes, tasks.summarise, async () =>
        this.#inThread(key, 'summarise', { source: await shareBytes([source]) }),
      );
    }
    return await this.#readStored(source, smallBytes, tasks.summarise, () =>
      this.#inThread(key, 'summarise', { source: { key: source.key } }),
    );
  }

  async readStructure({ key, size }: StoredBlob, turn: string) {
    return await reportingLoss(key, async () => {
      if (size <= smallBytes) return await tasks.readStructure(streamBlob(this.#blobs, key));
      return await this.#inThread(turn, 'readStructure', { key });
    });
  }

  async authenticate(raw: Buffer, sender: { ip: string; helo: string; mailFrom: string }, signal?: AbortSignal) {
    const input: Omit<AuthenticationInput, 'resolver'> = { ...sender, mta: this.#config.hostname };
    const key = blockOf(sender.ip);
    const resolver = async (name: string, type: string) => {
      try {
        return await this.#resolver.mailauthResolver(name, type);
      } finally {
        await this.#answerTurns.next(key);
      }
    };
    if (isQuicklyChecked(raw)) return await tasks.authenticate(raw, { ...input, resolver });
    const { authenticateInThread } = await import('./authenticate-in-thread.ts');
    return await authenticateInThread(raw, { ...input, resolver }, async (task) => {
      return await this.#inThread(key, 'authenticate', { ...task, raw: await shareBytes([raw]) }, { signal });
    });
  }

  async complete(raw: Buffer, input: CompletionInput, key: string) {
    const complete = (bytes: Buffer, limits: FewParts) => tasks.complete(bytes, input, limits);
    return await readHere(raw, smallBytes, complete, async () => {
      const result = await this.#inThread(key, 'complete', { raw: await shareBytes([raw]), input });
      if ('kind' in result) return result;
      return { ...result, completed: { ...result.completed, raw: bufferOf(result.completed.raw) } };
    });
  }

  async sign(raw: Buffer, signing: SigningKey, key: string) {
    if (isSmall(raw, smallToSignBytes)) return tasks.sign(raw, signing);
    return await this.#inThread(key, 'sign', { raw: await shareBytes([raw]), key: signing });
  }

  async convert(raw: Buffer, key: string) {
    if (isSmall(raw)) return tasks.convert(raw);
    const result = await this.#inThread(key, 'convert', { raw: await shareBytes([raw]) });
    return result.kind === 'fits' ? { ...result, raw: bufferOf(result.raw) } : result;
  }

  async show(blob: StoredBlob, turn: string, asText = false): Promise<ShownMessage> {
    const key = asText ? `${blob.key} as text` : blob.key;
    const known = this.#shown.get(key) ?? this.#showing.get(key);
    if (known) return await known;
    const showing = this.#showNew(blob, turn, asText);
    this.#showing.set(key, showing);
    try {
      const shown = await showing;
      this.#shown.set(key, shown, (shown.html.length + shown.sheet.length) * 2 + 1000);
      return shown;
    } finally {
      this.#showing.delete(key);
    }
  }

  async #showNew(blob: StoredBlob, turn: string, asText: boolean): Promise<ShownMessage> {
    const mark = randomUUID();
    const show = (raw: Buffer, limits: FewParts) => tasks.show(raw, mark, asText, limits);
    try {
      return await this.#readStored(blob, smallShownBytes, show, () =>
        this.#inThread(turn, 'show', { source: { key: blob.key }, mark, asText }),
      );
    } catch (error) {
      if (!(error instanceof MessageTooComplex)) throw error;
      const html = await reportingLoss(blob.key, () => this.#source(blob));
      return {
        html,
        mark,
        pictures: [],
        folds: [],
        hasRemoteContent: false,
        look: 'plain',
        sheet: '',
        replyTo: [],
        list: noList,
        links: [],
        invitation: null,
      };
    }
  }

  async #source({ key }: StoredBlob): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.#blobs.get(key, { start: 0, end: sourceBytes - 1 })) chunks.push(chunk as Buffer);
    const beginning = withoutForgedResults(Buffer.concat(chunks), this.#config.hostname);
    return showSource(decodeBytes(Buffer.concat(beginning)));
  }

  async readFiles(blob: StoredBlob, indexes: readonly number[], key: string) {
    const read = (raw: Buffer, limits: FewParts) => tasks.readFiles(raw, indexes, limits);
    return await this.#readStored(blob, smallBytes, read, async () =>
      withBuffers(await this.#inThread(key, 'readFiles', { source: { key: blob.key }, indexes })),
    );
  }

  async readDraft(blob: StoredBlob, key: string) {
    return await this.#readStored(blob, smallShownBytes, tasks.readDraft, async () => {
      const { summary, body } = await this.#inThread(key, 'readDraft', { source: { key: blob.key } });
      return { summary: withBuffers(summary), body };
    });
  }

  async searchText(blob: StoredBlob, key: string) {
    return await this.#readStored(blob, smallSearchedBytes, tasks.searchText, () =>
      this.#inThread(key, 'searchText', { source: { key: blob.key } }),
    );
  }

  async searchFiles({ key }: StoredBlob, turn: string) {
    // One at a time: such files take long, and people who open a message need threads as well
    return await this.#searchedFiles.run(turn, () =>
      reportingLoss(key, () =>
        this.#inThread('search', 'searchFiles', { source: { key } }, { cpuSeconds: filesCpuSeconds }),
      ),
    );
  }

  async composeText(html: string, key: string, contentIds = new Map<string, string>()) {
    if (html.length <= smallShownBytes) return tasks.composeText(html, contentIds);
    return await this.#inThread(key, 'composeText', { html, contentIds });
  }

  async keepWriting(html: string, pictures: Map<string, string>, key: string) {
    if (html.length <= smallWrittenLength) return tasks.keepWriting(html, pictures);
    return await this.#inThread(key, 'keepWriting', { html, pictures });
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  /** As `readHere`, for a message in the store, whose bytes the thread reads by itself. */
  async #readStored<T>(
    { key, size }: StoredBlob,
    most: number,
    here: ReadHere<T>,
    inThread: () => Promise<T>,
  ): Promise<T> {
    return await reportingLoss(key, async () => {
      if (size > most) return await inThread();
      return await readHere(await wholeBlob(this.#blobs, key), most, here, inThread);
    });
  }

  #inThread<Task extends keyof Runners>(
    key: string,
    task: Task,
    input: Input<Task>,
    options?: TaskOptions,
  ): Promise<Output<Task>> {
    return this.#pool.run(key, { task, input }, options) as Promise<Output<Task>>;
  }
}

/** A structured clone turns a Buffer into a plain Uint8Array. */
function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function withBuffers(summary: MessageSummary): MessageSummary {
  const attachments = summary.attachments.map(({ content, ...file }) => ({
    ...file,
    ...(content && { content: bufferOf(content) }),
  }));
  return { ...summary, attachments };
}

/** The most ARC seals of a message that is checked here, since all are checked without a pause. */
const mostSeals = 10;

/**
 * Says whether the sender of a message is checked within a few milliseconds. The checks may read
 * the body once for each length in a signature (RFC 6376 3.5, `l=`). Ten signatures are checked.
 */
function isQuicklyChecked(raw: Buffer): boolean {
  if (!isSmall(raw)) return false;
  const header = raw.toString('latin1', 0, bodyOffset(raw));
  const bodies = Math.max(1, Math.min(10, header.match(/[:;]\s*l\s*=/gi)?.length ?? 0));
  return raw.length * bodies <= smallBytes && (header.match(/arc-seal/gi)?.length ?? 0) <= mostSeals;
}

/**
 * The most parts of a message that is read in the process. A part costs the reader more than its
 * bytes do: a hundred kilobytes of parts take a third of a second, a little in each turn of the
 * event loop. If many such messages came at once, other work would wait in each turn.
 */
const fewParts = 100;
type FewParts = Pick<ParseLimits, 'maxParts'>;
type ReadHere<T> = (raw: Buffer, limits: FewParts) => Promise<T>;

/**
 * Reads a message of at most `most` bytes in the process, or in a thread if it is larger or has
 * many parts. Some parts are found only while it is read, since they are within a signed file.
 */
async function readHere<T>(raw: Buffer, most: number, here: ReadHere<T>, inThread: () => Promise<T>): Promise<T> {
  if (!isSmall(raw, most) || !hasFewParts(raw)) return await inThread();
  try {
    // The message itself counts as a part
    return await here(raw, { maxParts: fewParts + 1 });
  } catch (error) {
    if (!(error instanceof MessageTooComplex) || error.reason !== 'too_many_parts') throw error;
    return await inThread();
  }
}

/**
 * A larger message that names a signed file is read in a thread at once. Hundreds of parts may be
 * within, and are not seen in its Base64.
 */
const smallWithSignedFileBytes = 8192;

/** Counts the lines that may begin a part. */
function hasFewParts(raw: Buffer): boolean {
  if (raw.length > smallWithSignedFileBytes && /pkcs7-mime|smime\.p7m/i.test(raw.toString('latin1'))) return false;
  let count = 0;
  for (let at = raw.indexOf('\n--'); at >= 0 && count <= fewParts; at = raw.indexOf('\n--', at + 1)) count += 1;
  return count <= fewParts;
}

function isSmall(raw: Buffer, bytes = smallBytes): boolean {
  return raw.length <= bytes && measureHeader(raw, smallHeader).problem === null;
}
