import { readFileSync } from 'node:fs';

/** The ids of the running child processes of a process. */
export function childrenOf(pid: number): number[] {
  try {
    const pids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return pids === '' ? [] : pids.split(' ').map(Number);
  } catch {
    // No such process
    return [];
  }
}
