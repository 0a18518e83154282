import type { ThreadAnswer, ThreadRequest } from '../content/thread-messages.ts';
import { OpenIndexes } from './open-indexes.ts';

/*
 * The program of a process that runs searches. It ends with the process that started it, which may
 * also kill it at any moment.
 */

const [, , directory] = process.argv;
if (directory === undefined || !process.send) throw new Error('this program is started by QuestionProcess');
const indexes = new OpenIndexes(directory);

const say = (answer: ThreadAnswer): void => {
  process.send?.(answer);
};
process.on('message', (request: ThreadRequest) => say(indexes.answer(request)));
process.on('disconnect', () => process.exit());
say({ kind: 'ready' });
