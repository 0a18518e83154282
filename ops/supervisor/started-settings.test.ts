import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../tests/support/start-command.ts';
import { readRunningStack } from './state-file.ts';

/** Stands for a supervisor that was started with these settings and takes every restart up. */
async function startHost(settings: NodeJS.ProcessEnv): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'selvage-settings-'));
  mkdirSync(join(dataDir, 'run'));
  const program = `
    import { startTicks, writeReport } from '${join(import.meta.dirname, 'state-file.ts')}';
    const report = (number) =>
      writeReport('${dataDir}', {
        pid: process.pid, startedAtTicks: startTicks(process.pid), state: 'running', url: 'http://localhost',
        isRedisAway: false, processes: [], restart: { number, state: 'done', replaced: [], problem: null },
      });
    process.on('SIGUSR2', () => report(1));
    report(0);
    setInterval(() => undefined, 1000);`;
  const env = { ...settings, SELVAGE_DATA: dataDir };
  const host = spawn(process.execPath, ['--input-type=module', '--eval', program], { env, stdio: 'ignore' });
  onTestFinished(() => {
    host.kill('SIGKILL');
    rmSync(dataDir, { recursive: true });
  });
  await expect.poll(() => readRunningStack(dataDir), { timeout: 20_000 }).not.toBeNull();
  return dataDir;
}

it.each(['restart', 'main'])('settings that a running host does not take up are named: %s', async (name) => {
  const dataDir = await startHost({ HTTP_PORT: '1', SMTP_PORT: '2', UNDO_MS: '3' });
  const run = (settings: NodeJS.ProcessEnv) =>
    runCommand(`ops/supervisor/${name}.ts`, [], { SELVAGE_DATA: dataDir, ...settings });
  const changed = await run({ HTTP_PORT: '1', SMTP_PORT: '25', OUTBOUND_RELAY: 'smtp://relay.test' });
  expect(changed.code).toBe(0);
  expect(changed.output).toContain(
    'selvage: the host goes on without your change of SMTP_PORT, OUTBOUND_RELAY, which only a start reads: ./ops/down, then ./ops/up\n',
  );
  expect((await run({ HTTP_PORT: '1', SMTP_PORT: '2' })).output).not.toContain('your change');
});
