import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTicks, writeReport } from './supervisor/state-file.ts';
import { runCommand } from '../tests/support/start-command.ts';

const commands = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isFile() && !entry.name.includes('.'))
  .map(({ name }) => name);

let checkout: string;

/** A checkout whose Node and npm only say that they were run. */
beforeAll(() => {
  checkout = mkdtempSync(join(tmpdir(), 'selvage-commands-'));
  mkdirSync(join(checkout, 'node_modules/.bin'), { recursive: true });
  for (const name of [...commands, 'lib.sh']) cpSync(join(import.meta.dirname, name), join(checkout, 'ops', name));
  for (const program of ['node', 'npm']) {
    writeFileSync(join(checkout, 'node_modules/.bin', program), '#!/bin/sh\necho "RAN $0 $*"\nexit 9\n');
    chmodSync(join(checkout, 'node_modules/.bin', program), 0o755);
  }
});

/** A folder with no more programs than each command needs to begin. */
function barePath(): string {
  const path = mkdtempSync(join(checkout, 'path-'));
  for (const program of ['bash', 'dirname', 'realpath', 'id', 'sed']) {
    symlinkSync(spawnSync('which', [program], { encoding: 'utf8' }).stdout.trim(), join(path, program));
  }
  return path;
}

afterAll(() => rmSync(checkout, { recursive: true }));

describe('the commands of the operator', () => {
  it('take the settings in the data directory, and above these their own', () => {
    const dataDir = mkdtempSync(join(checkout, 'data-'));
    const lines = ['# A comment', '', "SELVAGE_URL='https://a.test/?b=it'\\''s'", 'HTTP_PORT=1', 'SMTP_PORT=2', 'oops'];
    writeFileSync(join(dataDir, 'settings.env'), lines.join('\n'));
    const given = { PATH: process.env['PATH'], SELVAGE_DATA: dataDir, SMTP_PORT: '25' };
    const read = 'echo "$SELVAGE_URL $HTTP_PORT $SMTP_PORT"';
    const settingsOf = (command: string) =>
      spawnSync('bash', ['-c', `. ${checkout}/ops/lib.sh; ${read}`, command], { encoding: 'utf8', env: given }).stdout;
    expect(settingsOf('./ops/status')).toBe("https://a.test/?b=it's 1 25\n");
    expect(settingsOf('./ops/bench/first-visit')).toBe("https://a.test/?b=it's 1 25\n");
    // These run hosts of their own
    expect(settingsOf('./ops/test')).toBe('  25\n');
    expect(settingsOf('./ops/bench/mail')).toBe('  25\n');
  });

  // ./ops/test has settings of its own
  it.each(commands.filter((name) => name !== 'test'))(
    'refuse a wrong line among the settings, unless they only look at a host or stop it: ./ops/%s',
    (name) => {
      const dataDir = mkdtempSync(join(checkout, 'data-'));
      writeFileSync(join(dataDir, 'settings.env'), 'HTTP_PORT=1\nexport BLOB_STORE=file:/data/blobs\n');
      const options = { encoding: 'utf8', env: { PATH: process.env['PATH'], SELVAGE_DATA: dataDir } } as const;
      const { status, stdout, stderr } = spawnSync(join(checkout, 'ops', name), ['/backup'], options);
      const refusal = `selvage: line 2 of ${dataDir}/settings.env is not a setting: write it as NAME=value\n`;
      if (['down', 'logs', 'restart', 'status'].includes(name)) expect(stderr).not.toContain('settings.env');
      else expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: '', stderr: refusal });
      expect(spawnSync(join(checkout, 'ops', name), ['--help'], options).status).toBe(0);
    },
  );

  it.each(['backup', 'restore'])('exit with 2 where ./ops/%s can not begin, since 1 says that it was done', (name) => {
    const [elsewhere, path] = [mkdtempSync(join(checkout, 'elsewhere-')), barePath()];
    cpSync(join(checkout, 'ops'), join(elsewhere, 'ops'), { recursive: true });
    const env = { PATH: path, SELVAGE_DATA: elsewhere };
    const { status, stdout, stderr } = spawnSync(join(elsewhere, 'ops', name), ['/backup'], { encoding: 'utf8', env });
    expect([status, stdout + stderr]).toEqual([
      2,
      expect.stringMatching(/^selvage: (nothing is installed here|these are missing: nodejs)/),
    ]);
  });

  it('need MariaDB’s client for a backup, and not to look at backups or to remove some', () => {
    const path = barePath();
    const options = { encoding: 'utf8', env: { PATH: path, SELVAGE_DATA: path } } as const;
    const run = (...args: string[]) => spawnSync(join(checkout, 'ops/backup'), ['/backup', ...args], options);
    expect(run().stdout).toContain('these are missing: mariadb-client');
    for (const argument of ['--check', '--list', '--prune'])
      expect([argument, run(argument).status]).toEqual([argument, 9]);
  });

  it('take settings as editors leave them: with spaces at an end, a mark of Unicode and ends of lines of Windows', () => {
    const dataDir = mkdtempSync(join(checkout, 'data-'));
    const lines = [
      '\ufeffSELVAGE_URL="https://a.test" \t',
      "BIND_ADDRESS= '::' ",
      'HTTP_PORT= 80 ',
      "SMTP_PORT=' 1 '",
      '',
    ];
    writeFileSync(join(dataDir, 'settings.env'), lines.join('\r\n'));
    const given = { PATH: process.env['PATH'], SELVAGE_DATA: dataDir };
    const read = 'echo "[$SELVAGE_URL] [$BIND_ADDRESS] [$HTTP_PORT] [$SMTP_PORT] [$bad_setting]"';
    const run = ['-c', `. ${checkout}/ops/lib.sh; ${read}`, './ops/status'];
    expect(spawnSync('bash', run, { encoding: 'utf8', env: given }).stdout).toBe(
      '[https://a.test] [::] [80] [ 1 ] []\n',
    );
  });

  it('take the same settings in every language: the letters from A to Z are others in Turkish', ({ skip }) => {
    const locales = mkdtempSync(join(checkout, 'locales-'));
    const made = spawnSync('localedef', ['-i', 'tr_TR', '-f', 'UTF-8', join(locales, 'tr_TR.UTF-8')]);
    if (made.status !== 0) return skip('this machine has no description of the language');
    const dataDir = mkdtempSync(join(checkout, 'data-'));
    writeFileSync(join(dataDir, 'settings.env'), 'SUBMISSION_PORT=587\nÇPORT=1\n');
    const given = { PATH: process.env['PATH'], SELVAGE_DATA: dataDir, LOCPATH: locales, LC_ALL: 'tr_TR.UTF-8' };
    const run = ['-c', `. ${checkout}/ops/lib.sh; echo "[$SUBMISSION_PORT] [$bad_setting]"`, './ops/status'];
    expect(spawnSync('bash', run, { encoding: 'utf8', env: given }).stdout).toBe('[587] [2]\n');
  });

  it.each(commands)('say what they are for, and do nothing else: ./ops/%s', (name) => {
    for (const option of ['--help', '-h']) {
      const options = { encoding: 'utf8', env: { PATH: process.env['PATH'], SELVAGE_DATA: checkout } } as const;
      const { status, stdout, stderr } = spawnSync(join(checkout, 'ops', name), [option], options);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(stdout).toMatch(/^[A-Z][^#]+\n$/);
      expect(stdout).not.toMatch(/RAN|set -/);
    }
  });

  it.each([
    ['supervisor/down', ['foo'], "Unexpected argument 'foo'; see ./ops/down --help"],
    ['supervisor/restart', ['--foo'], "Unknown option '--foo'; see ./ops/restart --help"],
    ['supervisor/status', ['foo'], "Unexpected argument 'foo'; see ./ops/status --help"],
    ['storage-check', ['foo'], "Unexpected argument 'foo'; see ./ops/storage-check --help"],
    ['ledger-check', ['--foo'], "Unknown option '--foo'; see ./ops/ledger-check --help"],
    ['search-rebuild', ['a@b.test', 'c@b.test'], 'name one address at most: ./ops/search-rebuild ADDRESS'],
    ['backup', ['/b', '--foo'], "Unknown option '--foo'; see ./ops/backup --help"],
    ['backup', ['/b', '--keep'], "Option '--keep <value>' argument missing; see ./ops/backup --help"],
    [
      'restore',
      ['/b', '--release-outgoing'],
      '--release-outgoing takes no other argument. To send the waiting mail of a restore, give --send-outgoing',
    ],
  ])('refuse what they do not know with one sentence: %s %s', async (name, args, sentence) => {
    const answer = await runCommand(`ops/${name}.ts`, args, { SELVAGE_DATA: checkout });
    expect(answer).toEqual({ code: 2, output: `selvage: ${sentence}\n` });
  });

  it('call no host healthy whose Redis is away', async () => {
    const dataDir = join(checkout, 'data');
    mkdirSync(join(dataDir, 'run'), { recursive: true });
    writeReport(dataDir, {
      pid: process.pid,
      startedAtTicks: startTicks(process.pid) ?? '',
      state: 'running',
      url: 'http://localhost',
      isRedisAway: true,
      processes: [],
      restart: { number: 0, state: 'done', replaced: [], problem: null },
    });
    const { code, output } = await runCommand('ops/supervisor/status.ts', [], { SELVAGE_DATA: dataDir });
    expect(code).toBe(1);
    expect(output).toContain('Redis does not answer: people can’t log in until it does');
  });

  it('call no host healthy whose database has ended, also while a full disk keeps the old state written down', async () => {
    const dataDir = join(checkout, 'full');
    mkdirSync(join(dataDir, 'run'), { recursive: true });
    const { pid: ended } = spawnSync('true');
    const facts = { state: 'ready', restarts: 0, since: Date.now() } as const;
    writeReport(dataDir, {
      pid: process.pid,
      startedAtTicks: startTicks(process.pid) ?? '',
      state: 'running',
      url: 'http://localhost',
      isRedisAway: false,
      processes: [
        { name: 'mariadb', pids: [ended], ...facts },
        { name: 'workers', pids: [process.pid], ...facts },
      ],
      restart: { number: 0, state: 'done', replaced: [], problem: null },
    });
    const { code, output } = await runCommand('ops/supervisor/status.ts', [], { SELVAGE_DATA: dataDir });
    expect(code).toBe(1);
    expect(output).toContain(
      '  !! this is an old state, since a process of mariadb has ended: is there room on the disk? See ./ops/logs supervisor\n',
    );
  });

  it.each([
    ['supervisor/status', 3],
    ['supervisor/restart', 3],
    ['supervisor/down', 0],
  ])('need no right settings to look at a host or to stop it: %s', async (name, code) => {
    const answer = await runCommand(`ops/${name}.ts`, [], { SELVAGE_DATA: checkout, HTTP_PORT: 'foo' });
    expect(answer).toEqual({ code, output: `selvage: not running in ${checkout}\n` });
  });
});
