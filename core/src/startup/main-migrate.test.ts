import { describe, expect, it } from 'vitest';
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
