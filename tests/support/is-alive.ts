import { startTicks } from '../../ops/supervisor/state-file.ts';

/** Whether the process with this id runs. A zombie does not. */
export function isAlive(pid: number): boolean {
  return startTicks(pid) !== null;
}
