import { type Progress, readableBytes } from '@selvage/core/backup/progress';
import { print } from './print.ts';

const everyMs = 200;

/**
 * Shows progress on one line of a terminal. Without a terminal, prints only the lines that stay.
 */
export function terminalProgress(): Progress {
  let last = 0;
  let isShown = false;
  const clear = () => {
    if (isShown) process.stdout.write('\r\u001B[K');
    isShown = false;
  };
  return {
    say: (line) => {
      clear();
      print(`selvage: ${line}`);
    },
    at: (what, done, total) => {
      if (!process.stdout.isTTY || Date.now() - last < everyMs) return;
      last = Date.now();
      isShown = true;
      const [unit, ...rest] = what.split(' ');
      const figure =
        unit === 'bytes' ? `${readableBytes(done)} ${rest.join(' ')}` : `${done}${total ? ` of ${total}` : ''} ${what}`;
      process.stdout.write(`\r\u001B[K${figure}`);
    },
  };
}
