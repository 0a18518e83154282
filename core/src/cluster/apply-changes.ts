import type { CountChange } from './messages.ts';

/** Notes in the counts of a process what that process says has changed. */
export function applyChanges(counts: Map<string, number>, changes: readonly CountChange[]): void {
  for (const [key, count] of changes) {
    if (count > 0) counts.set(key, count);
    else counts.delete(key);
  }
}
