import { configureLog } from '@selvage/core/log';
import { afterAll, afterEach, beforeEach } from 'vitest';
import { beginTest, describeFailure } from './around-tests.ts';
import { ofFile } from './end-of-file.ts';
import { inWorker } from './end-of-worker.ts';

// Logs to the console, since Vitest shows console lines with their test.
configureLog({
  level: 'info',
  process: 'test',
  write: (line) => {
    console.log(line.trimEnd());
  },
});

// Vitest may keep modules loaded from one test file to the next, but it runs this file for each
inWorker.beforeAll(({ untilWorkerEnds }) => untilWorkerEnds);
beforeEach(beginTest);
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await describeFailure();
});
afterAll(() => ofFile.end());
