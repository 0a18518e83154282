import { configureLog } from '@selvage/core/log';

// By the console, whose lines Vitest keeps for the test that they belong to.
configureLog({
  level: 'info',
  process: 'test',
  write: (line) => {
    console.log(line.trimEnd());
  },
});
