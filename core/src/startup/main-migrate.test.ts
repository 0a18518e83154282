import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readOf } from '../../../tests/support/backups.ts';
import { freePorts } from '../../../tests/support/free-ports.ts';
import { runCommand, startCommand } from '../../../tests/support/start-command.ts';
import { testEnvironment } from '../../../tests/support/test-app.ts';
import { until } from '../../../tests/support/until.ts';

const program = 'core/src/startup/main-migrate.ts';
const portNames = [
  'HTTP',
  'SMTP',
  'SUBMISSION',
  'SUBMISSIONS',
  'INBOUND_HEALTH',
  'SUBMISSION_HEALTH',
  'WORKERS_HEALTH',
];
const refusal = /^the database can't be reached or can't work now: Access denied for user .+ \(DATABASE_URL\)\n$/;

/** The environment of a new host whose database is asked for with other words. */
async function withDatabase(change: (url: URL) => void): Promise<NodeJS.ProcessEnv> {
  const environment = await testEnvironment();
  const url = new URL(environment['DATABASE_URL'] ?? '');
  change(url);
  return { ...environment, DATABASE_URL: url.toString() };
}

const withWrongPassword = () =>
  withDatabase((url) => {
    url.password = 'wrong';
  });

it('says which lines of settings.env have no effect, and takes the others', async () => {
  const environment = await withWrongPassword();
  const lines = [
    '\ufeffSELVAGE_HOSTNMAE=mail.example.com',
    '# A_COMMENT=1',
    'SELVAGE_HOSTNAME=mail.example.com',
    'MAX_MESSAGE_SIZE=50000000',
    'SELVAGE_DATA=/srv/elsewhere',
    'OUTBOUND_RELAY_FILE=/run/relay',
    'DATABASE_BUFFER_MB=64',
    'NODE_OPTIONS=--use-openssl-ca',
    'HTTPS_PROXY=http://proxy.test',
    'TZ=Europe/Berlin',
  ];
  writeFileSync(join(environment['SELVAGE_DATA'] ?? '', 'settings.env'), lines.join('\r\n'));
  const { output } = await runCommand(program, [], environment);
  expect(output.split('\n').filter((line) => line.startsWith('!!'))).toEqual([
    '!! settings.env: there is no setting SELVAGE_HOSTNMAE, so it has no effect; perhaps it is mistyped',
    '!! settings.env: there is no setting MAX_MESSAGE_SIZE, so it has no effect; perhaps it is mistyped',
    '!! settings.env: SELVAGE_DATA has no effect here; set it where the host is started',
  ]);
});

it('ends with one sentence when the certificate of the mail doors can’t be used', async () => {
  const environment = await withWrongPassword();
  const place = join(environment['SELVAGE_DATA'] ?? '', 'tls');
  mkdirSync(place);
  writeFileSync(join(place, 'cert.pem'), 'none');
  writeFileSync(join(place, 'key.pem'), 'none');
  const answer = await runCommand(program, [], environment);
  expect(answer).toEqual({ code: 2, output: `${place}/cert.pem is no certificate in PEM\n` });
});

it('makes no new host where the store has the mail of one, and where a first start was interrupted it does', async () => {
  const environment = await testEnvironment();
  const folder = join(environment['SELVAGE_DATA'] ?? '', 'blobs', 'ab');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'ab'.repeat(32)), 'mail');
  const { code, output } = await runCommand(program, [], environment);
  expect({ code, output: output.split('\n').at(-2) }).toEqual({
    code: 2,
    output: expect.stringMatching(
      /^The database is empty, but \S+\/blobs holds the mail of a host. Is DATABASE_URL right\?/,
    ),
  });
  expect(readOf(environment, 'SELECT COUNT(*) FROM companies')).toEqual(['0']);
  expect(existsSync(join(folder, 'ab'.repeat(32)))).toBe(true);
  rmSync(folder, { recursive: true });
  expect((await runCommand(program, [], environment)).code).toBe(0);
});

describe('a start with a DATABASE_URL that is wrong', () => {
  it('ends at once with one sentence when the server refuses the login', async () => {
    const { code, output } = await runCommand(program, [], await withWrongPassword());
    expect({ code, output }).toEqual({ code: 2, output: expect.stringMatching(refusal) });
  });

  it('ends at once with one sentence also when a supervisor runs it', async () => {
    const ports = await freePorts(portNames.length);
    const given = Object.fromEntries(portNames.map((name, index) => [`${name}_PORT`, String(ports[index])]));
    const environment = { ...(await withWrongPassword()), ...given };
    const { code, output } = await runCommand('ops/supervisor/main.ts', [], environment);
    const lines = output.split('\n').filter((line) => line.includes('failed'));
    expect({ code, lines }).toEqual({ code: 1, lines: [expect.stringContaining('(DATABASE_URL)')] });
    expect(output).not.toContain('stack');
  });

  it('says at once that it waits when no server answers', async () => {
    const environment = await withDatabase((url) => {
      url.search = '';
      url.host = '127.0.0.1:9';
    });
    const start = startCommand(program, [], environment);
    await until('it says so', async () => start.output().includes('waiting for the database, up to 60 s\n'));
    start.child.kill();
    await start.ended;
  });
});
