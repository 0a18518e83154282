import { stat } from 'node:fs';

const everyMs = 1000;

/**
 * Hands Node's thread pool a small piece of work each second. In glibc before 2.41, which Debian 12
 * has, a thread that waits for work can miss the signal that there is some
 * (https://sourceware.org/bugzilla/show_bug.cgi?id=25847). That work stays in the queue until other
 * work is handed over. A command that waits for it alone would wait for ever.
 */
export function keepThreadPoolAwake(): void {
  setInterval(() => stat('/', () => undefined), everyMs).unref();
}
