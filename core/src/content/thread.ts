import { parentPort, workerData } from 'node:worker_threads';
import type { AuthenticationInput } from '../mail/authenticate-message.ts';
import type { CompletionInput } from '../mail/complete-headers.ts';
import type { Answers } from '../mail/dns-answers.ts';
import { MessageTooComplex } from '../mail/parsed-message.ts';
import type { SigningKey } from '../mail/sign-message.ts';
import { openBlobsForReading } from '../mailstore/blob-store.ts';
import { streamBlob } from '../mailstore/read-blob.ts';
import * as tasks from '../mail/message-tasks.ts';
import type { ThreadAnswer, ThreadRequest } from './thread-messages.ts';

/** The settings that a thread gets when it starts. */
export interface ThreadSettings {
  blobDirectory: string;
}

/** A message to authenticate. The thread asks no name server, so it never waits for one. */
export interface AuthenticationTask {
  raw: Uint8Array;
  input: Omit<AuthenticationInput, 'resolver'>;
  answers: Answers;
}

/** The bytes of a message, or the key of its blob, which the thread reads by itself. */
export type ThreadSource = Uint8Array | { key: string };

const settings = workerData as ThreadSettings;
const blobs = openBlobsForReading(settings.blobDirectory);

const open = (source: ThreadSource) => ('key' in source ? streamBlob(blobs, source.key) : bytesOf(source));
const bytesOf = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The tasks by name, with their input in the form that comes through the port. */
const runners = {
  summarise: ({ source }: { source: ThreadSource }) => tasks.summarise(open(source)),
  readStructure: ({ key }: { key: string }) => tasks.readStructure(streamBlob(blobs, key)),
  authenticate: ({ raw, input, answers }: AuthenticationTask) =>
    tasks.authenticateByAnswers(bytesOf(raw), input, answers),
  complete: ({ raw, input }: { raw: Uint8Array; input: CompletionInput }) => tasks.complete(bytesOf(raw), input),
  sign: ({ raw, key }: { raw: Uint8Array; key: SigningKey }) => tasks.sign(bytesOf(raw), key),
  convert: ({ raw }: { raw: Uint8Array }) => tasks.convert(bytesOf(raw)),
  show: ({ source, mark, asText }: { source: ThreadSource; mark: string; asText: boolean }) =>
    tasks.show(open(source), mark, asText),
  readFiles: ({ source, indexes }: { source: ThreadSource; indexes: readonly number[] }) =>
    tasks.readFiles(open(source), indexes),
  readDraft: ({ source }: { source: ThreadSource }) => tasks.readDraft(open(source)),
  searchText: ({ source }: { source: ThreadSource }) => tasks.searchText(open(source)),
  searchFiles: ({ source }: { source: ThreadSource }) => tasks.searchFiles(() => open(source)),
  composeText: ({ html, contentIds }: { html: string; contentIds: Map<string, string> }) =>
    tasks.composeText(html, contentIds),
  keepWriting: ({ html, pictures }: { html: string; pictures: Map<string, string> }) =>
    tasks.keepWriting(html, pictures),
};

/** The names of all tasks, with their input and output. */
export type Runners = typeof runners;

async function answer({ task, input }: ThreadRequest): Promise<ThreadAnswer> {
  try {
    const run = runners[task as keyof Runners] as (input: unknown) => unknown;
    return { kind: 'done', result: await run(input) };
  } catch (error) {
    if (error instanceof MessageTooComplex) return { kind: 'too_complex', reason: error.reason };
    const { message, code } = error as NodeJS.ErrnoException;
    return { kind: 'failed', message, code: code ?? '' };
  }
}

/**
 * Finds the bytes of a whole message in an answer. They are transferred instead of copied: copying
 * 36 MB would block the receiver.
 */
function bytesToHandOver(message: ThreadAnswer): ArrayBuffer[] {
  if (message.kind !== 'done') return [];
  const { raw, completed } = (message.result ?? {}) as { raw?: Uint8Array; completed?: { raw?: Uint8Array } };
  const bytes = raw ?? completed?.raw;
  const isWhole = bytes !== undefined && bytes.byteLength === bytes.buffer.byteLength;
  return isWhole && bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : [];
}

const port = parentPort;
if (!port) throw new Error('this file runs in a thread');
port.on('message', (request: ThreadRequest) => {
  void answer(request).then((message) => port.postMessage(message, bytesToHandOver(message)));
});
port.postMessage({ kind: 'ready' } satisfies ThreadAnswer);
