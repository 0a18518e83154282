import { configureLog } from '@selvage/core/log';
import { afterAll } from 'vitest';
import { endTestFile } from './end-of-file.ts';

// Writes to the console, whose lines Vitest keeps with their test.
configureLog({
  level: 'info',
  process: 'test',
  write: (line) => {
    console.log(line.trimEnd());
  },
});

// Modules may stay loaded from one test file to the next, but this one is run for each
afterAll(endTestFile);
