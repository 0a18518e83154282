import { configureLog } from '@selvage/core/log';

// Writes to the console, whose lines Vitest keeps with their test.
configureLog({
  level: 'info',
  process: 'test',
  write: (line) => {
    console.log(line.trimEnd());
  },
});
