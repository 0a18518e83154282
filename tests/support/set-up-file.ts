import { configureLog } from '@selvage/core/log';
import { afterAll, afterEach, beforeEach } from 'vitest';
import { beginTest, describeFailure } from './around-tests.ts';
import { ofFile } from './end-of-file.ts';
import { inWorker } from './end-of-worker.ts';

// Writes to the console, whose lines Vitest keeps with their test.
configureLog({
  level: 'info',
  process: 'test',
  write: (line) => {
    console.log(line.trimEnd());
  },
});

// Modules may stay loaded from one test file to the next, but this one is run for each
inWorker.beforeAll(({ untilWorkerEnds }) => untilWorkerEnds);
beforeEach(beginTest);
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await describeFailure();
});
afterAll(() => ofFile.end());
