import { startTicks } from '../../ops/supervisor/state-file.ts';

/** Whether a process of this number runs. One that has ended and was not reaped yet does not. */
export function isAlive(pid: number): boolean {
  return startTicks(pid) !== null;
}
