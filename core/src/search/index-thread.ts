import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadAnswer, ThreadRequest } from '../content/thread-messages.ts';
import { OpenIndexes } from './open-indexes.ts';

/** The settings that a search thread gets when it starts. */
export interface SearchThreadSettings {
  directory: string;
}

const { directory } = workerData as SearchThreadSettings;
const indexes = new OpenIndexes(directory);

const port = parentPort;
if (!port) throw new Error('this file runs in a thread');
port.on('message', (request: ThreadRequest) => port.postMessage(indexes.answer(request)));
port.postMessage({ kind: 'ready' } satisfies ThreadAnswer);
