import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRunningStack, removeReport, type StackReport, startTicks, writeReport } from './state-file.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'selvage-state-'));
  mkdirSync(join(dataDir, 'run'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

function report(overrides: Partial<StackReport> = {}): StackReport {
  const startedAtTicks = startTicks(process.pid) ?? '';
  const restart: StackReport['restart'] = { number: 0, state: 'done', replaced: [], problem: null };
  const own = { pid: process.pid, startedAtTicks };
  const rest = { url: 'http://x', isRedisAway: false, processes: [], restart };
  return { ...own, state: 'running', ...rest, ...overrides };
}

describe('state file', () => {
  it('finds the stack that runs in a data directory', () => {
    writeReport(dataDir, report());
    expect(readRunningStack(dataDir)?.url).toBe('http://x');
  });

  it('does not take another process with the same number for the supervisor', () => {
    writeReport(dataDir, report({ startedAtTicks: '1' }));
    expect(readRunningStack(dataDir)).toBeNull();
  });

  it('finds nothing after an orderly stop, or where nothing ever ran', () => {
    expect(readRunningStack(dataDir)).toBeNull();
    writeReport(dataDir, report());
    removeReport(dataDir);
    expect(readRunningStack(dataDir)).toBeNull();
  });
});
