import { readFileSync } from 'node:fs';
import { settingsIn } from '@selvage/core/backup/settings-file';

/** The settings that a process was started with. */
export function startedSettings(pid: number): Record<string, string> {
  const pairs = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
  return settingsIn(
    Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)])),
  );
}

/**
 * Says which settings of this command the running host does not have yet; null when it has all. One
 * that this command lacks does not count, since the shell of the start may have had it.
 */
export function describeUnreadSettings(pid: number, own: NodeJS.ProcessEnv = process.env): string | null {
  let started: Record<string, string>;
  try {
    started = startedSettings(pid);
  } catch {
    // The host belongs to another account, or has ended
    return null;
  }
  const unread = Object.entries(settingsIn(own)).filter(
    ([name, value]) => name !== 'SELVAGE_DATA' && value !== started[name],
  );
  if (unread.length === 0) return null;
  const names = unread.map(([name]) => name).join(', ');
  return `the host goes on without your change of ${names}, which only a start reads: ./ops/down, then ./ops/up`;
}
