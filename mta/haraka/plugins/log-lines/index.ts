import { log } from '@selvage/core/log';
import { verdicts } from '../../../src/inbound/haraka.ts';

interface Line {
  level: string;
  data: string;
}

/**
 * Writes Haraka's own log lines in the format of all other lines. OK keeps Haraka from printing
 * them as well.
 */
export function hook_log(next: (code: number) => void, _logger: unknown, line: Line): void {
  const { message, ...fields } = read(line.data);
  const level = line.level.toLowerCase();
  const write = level === 'warn' ? log.warn : isDebug(level) ? log.debug : log.error;
  write('haraka', { ...fields, text: message });
  next(verdicts.ok);
}

function read(data: string): Record<string, unknown> {
  try {
    const { level: _level, uuid: sessionId, ...fields } = JSON.parse(data) as Record<string, unknown>;
    return { sessionId, ...fields };
  } catch {
    // A few lines at the start of Haraka are plain text whatever the format
    return { message: data };
  }
}

function isDebug(level: string): boolean {
  return ['data', 'protocol', 'debug', 'info', 'notice'].includes(level);
}
