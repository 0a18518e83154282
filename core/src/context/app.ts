import type { Readable } from 'node:stream';
import type { Redis } from 'ioredis';
import type { Sequelize } from 'sequelize';
import type { DnsResolver } from '../dns/resolver.ts';
import type { AuthenticationResults } from '../mail/authenticate-message.ts';
import type { CompletedMessage, CompletionInput } from '../mail/complete-headers.ts';
import type { FittedMessage } from '../mail/fit-lines.ts';
import type { CompletedSummary, ComposedText, DraftParts, SearchText } from '../mail/message-tasks.ts';
import type { MessageSummary, StorableSummary } from '../mail/parsed-message.ts';
import type { ShownMessage } from '../mail/show-message.ts';
import type { SigningKey } from '../mail/sign-message.ts';
import type { MemoryBudget } from '../memory-budget.ts';
import type { OutboxRow } from '../models/outbox-row.ts';
import type { Config } from '../process/config.ts';
import type { Hits, HitsWanted, SearchTasks, ThreadTask } from '../search-index/index-messages.ts';
import type { SecretsBox } from '../secrets/secrets-box.ts';

/** What every part of a process shares. `startApp` builds it. */
export interface App {
  config: Config;
  db: Sequelize;
  /**
   * Fails fast when Redis is away; blocking work makes a connection of its own with `createRedis`.
   */
  redis: Redis;
  blobs: BlobStore;
  secrets: SecretsBox;
  resolver: DnsResolver;
  relay: JobRelay;
  content: ContentReader;
  /** The search indexes of mailboxes. */
  search: SearchIndexes;
  /** The budget of this process's memory for messages that are read whole. */
  memory: MemoryBudget;
}

/** A reference to a stored blob. */
export interface StoredBlob {
  /** SHA-256 of the content, hexadecimal. */
  key: string;
  size: number;
}

/** What a blob store knows of a blob without reading it. */
export interface BlobFile {
  size: number;
  /** When the bytes were last put, in milliseconds since 1970. */
  putAt: number;
}

/**
 * Stores bytes under the hash of their content, so the same content is stored once. `openBlobStore`
 * makes the one that writes to a directory.
 */
export interface BlobStore {
  /**
   * Stores durably: when it returns, the bytes outlive a power cut.
   * @throws AppError `unavailable` if the store can't take them
   */
  put(source: AsyncIterable<Uint8Array> | Buffer): Promise<StoredBlob>;
  /**
   * The bytes, or those from `start` to `end` (inclusive). A missing blob shows as an error of the
   * stream.
   */
  get(key: string, range?: { start: number; end?: number }): Readable;
  /** The bytes in one go, at less cost than as a stream. A missing blob shows as an error. */
  read(key: string): Promise<Buffer>;
  has(key: string): Promise<boolean>;
  /**
   * As `has`, for a blob that was stored a moment ago. The kernel knows its name, so this waits for
   * no disk.
   */
  stillHas(key: string): boolean;
  /** Removes a blob. A blob that is not there is no error. */
  remove(key: string): Promise<void>;
  /**
   * The keys that begin with these hexadecimal digits, in their order. There must be two digits at
   * least: a caller holds about one key in 256 then, and never all of them.
   */
  list(prefix: string): Promise<string[]>;
  /** The facts of a blob; null when it is not there, or the key is not one of a blob. */
  stat(key: string): Promise<BlobFile | null>;
  /**
   * Removes what is left of each `put` whose process has died, or whose file was last written more
   * than an hour ago.
   */
  removeUnfinished(): Promise<void>;
}

/** A search of a mailbox, and the company whose searches take turns with those of the others. */
export interface Question {
  userId: string;
  companyId: string;
  wanted: HitsWanted;
}

/** The search indexes of mailboxes. Each belongs to one thread. `SearchThreads` implements it. */
export interface SearchIndexes {
  /**
   * Does a task in the thread of the mailbox.
   * @throws AppError unavailable when the index can't be read or written
   */
  run<Task extends ThreadTask>(task: Task, input: SearchTasks[Task]['input']): Promise<SearchTasks[Task]['output']>;
  /**
   * Searches a mailbox.
   * @throws AppError 422 `search_too_long`
   * @throws AppError unavailable when the index can't be read
   */
  find(question: Question): Promise<Hits>;
  /** Ends the threads. */
  close(): Promise<void>;
}

/** A job without a payload, which only says that there may be work. */
export interface WakeUp {
  name: string;
}

/**
 * Works on the content of messages, which strangers write. Small messages with few parts are
 * handled in the process, others in threads with limits of time and memory, so that no message
 * blocks the event loop. Each call throws MessageTooComplex when the message exceeds a limit, and
 * AppError `unavailable` when too much work waits. Callers take turns by `key`: that of a person
 * (`user:<id>`, or `draft:<id>` while their draft is composed), the block of addresses of a peer,
 * the domain of a sender, or a word such as `host` for the host's own work.
 */
export interface ContentReader {
  /** The facts of a message that its rows store. */
  summarise(source: Buffer | StoredBlob, key: string): Promise<StorableSummary>;
  /** The MIME structure of a stored message as JSON, as `summarise` gives it. */
  readStructure(blob: StoredBlob, key: string): Promise<string>;
  /**
   * Checks SPF, DKIM, DMARC and ARC in the name of this host.
   * @param signal says that the result is not needed any more: then no thread begins with it
   */
  authenticate(
    raw: Buffer,
    sender: { ip: string; helo: string; mailFrom: string },
    signal?: AbortSignal,
  ): Promise<AuthenticationResults>;
  /** Makes a submitted message fit to leave. */
  complete(
    raw: Buffer,
    input: CompletionInput,
    key: string,
  ): Promise<CompletedSummary | Extract<CompletedMessage, { kind: 'refused' }>>;
  /** The DKIM-Signature field of a message that leaves, with its final CRLF. */
  sign(raw: Buffer, signing: SigningKey, key: string): Promise<string>;
  /** A message in the form that a server without 8BITMIME takes, or why there is none. */
  convert(raw: Buffer, key: string): Promise<FittedMessage>;
  /**
   * A message's text for its reader, bounded and cached. Never throws MessageTooComplex: of such a
   * message the beginning of its source is shown. `asText` gives its words without markup.
   */
  show(blob: StoredBlob, key: string, asText?: boolean): Promise<ShownMessage>;
  /** The facts of a message, with the bytes of the files of these indexes. */
  readFiles(blob: StoredBlob, indexes: readonly number[], key: string): Promise<MessageSummary>;
  /** The facts, all files and the text of a message for an editor. */
  readDraft(blob: StoredBlob, key: string): Promise<DraftParts>;
  /** The words of a message for a search index, and the names of its files. */
  searchText(blob: StoredBlob, key: string): Promise<SearchText>;
  /**
   * The words of its files, as far as files of their kinds can be read within a second of processor
   * time. Always in a thread.
   */
  searchFiles(blob: StoredBlob, key: string): Promise<string>;
  /**
   * Makes what a person wrote fit to be sent. `contentIds` has the Content-ID of each picture, by
   * its address.
   */
  composeText(html: string, key: string, contentIds?: Map<string, string>): Promise<ComposedText>;
  /**
   * Cleans what a person has written so far, for the editor that shows it again. `pictures` has a
   * word for the address of each picture of a quoted message; the address becomes `cid:word`.
   */
  keepWriting(html: string, pictures: Map<string, string>, key: string): Promise<ComposedText>;
  /** Ends the threads. */
  close(): Promise<void>;
}

/**
 * Announces jobs whose outbox rows are committed. `OutboxRelay` is the one that puts them into
 * Redis.
 */
export interface JobRelay {
  /**
   * Takes rows right after their commit. Never throws: what can't be announced now is left to
   * `announceDue`.
   */
  announce(rows: readonly OutboxRow[]): void;
  /**
   * Announces a job that has no row in the outbox, since rows of another table hold its work. Never
   * throws: what can't be announced is found in those rows. Many calls at the same time become few
   * jobs.
   */
  wake(job: WakeUp): void;
  /** Announces rows that are due and were not announced; answers how many. */
  announceDue(options: { olderThanMs: number }): Promise<number>;
  /** Resolves when everything taken so far is announced or left to `announceDue`. */
  idle(): Promise<void>;
  /** Waits as `idle` does, then closes the queues. */
  close(): Promise<void>;
}
