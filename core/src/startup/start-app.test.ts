import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { testApp } from '../../../tests/support/test-app.ts';
import type { App } from '../context/app.ts';
import { changeRows } from '../database/run-sql.ts';
import type * as resolvers from '../dns/resolver.ts';
import { sealVariable } from '../environment/stored-variables.ts';
import { configureLog } from '../log.ts';
import { loadConfig } from '../process/config.ts';
import { startApp, stopApp } from './start-app.ts';

/** Stands for addresses that pass the schema and that the resolver of another version refuses. */
const impossible = '192.0.2.1:9';

vi.mock('../dns/resolver.ts', async (original) => {
  const actual = await original<typeof resolvers>();
  return {
    ...actual,
    createResolver: (...given: Parameters<typeof actual.createResolver>) => {
      if (given[0].includes(impossible)) throw new Error(`no such resolver: ${impossible}`);
      return actual.createResolver(...given);
    },
  };
});

let app: App;
let lines: Record<string, unknown>[];

beforeAll(async () => {
  app = await testApp();
});

beforeEach(async () => {
  lines = [];
  configureLog({ level: 'error', process: 'test', write: (line) => lines.push(JSON.parse(line)) });
  await changeRows({ app }, 'DELETE FROM environment_variables', []);
});

afterAll(() => configureLog({ level: 'error', process: 'test' }));

async function store(variables: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(variables)) {
    await changeRows(
      { app },
      `INSERT INTO environment_variables (name, sealed_value, revision, created_at, updated_at)
       VALUES (?, ?, 0, NOW(3), NOW(3))`,
      [name, sealVariable(app.secrets, name, value)],
    );
  }
}

/** Starts once more on the database of the test, as another process of the host. */
async function start(changes: Record<string, string> = {}): Promise<App> {
  const config = loadConfig({ ...app.config.source.given, ...changes });
  const started = await startApp(config, { role: 'api' });
  await stopApp(started);
  return started;
}

describe('startApp', () => {
  it('starts without the list when it can’t start with it, and says so in log and list', async () => {
    await store({ DNS_SERVERS: impossible, MAX_RECIPIENTS: '50', UNDO_MS: 'soon', LOG_LEVEL: 'silent' });
    const { config } = await start();
    expect(config).toMatchObject({ dnsServers: ['127.0.0.1:9'], maxRecipients: 100, logLevel: 'error' });
    const reason = `The host did not start with this list, so it runs without it: no such resolver: ${impossible}`;
    expect(config.source).toMatchObject({
      stored: {},
      unusable: {
        DNS_SERVERS: reason,
        MAX_RECIPIENTS: reason,
        LOG_LEVEL: reason,
        UNDO_MS: 'The value must be a whole number.',
      },
    });
    expect(lines.map(({ msg }) => msg)).toEqual([
      'a variable of the list is not used',
      'the start failed with the variables of the list, trying without them',
    ]);
  });

  it('does not blame the list for what fails without it as well', async () => {
    await store({ MAX_RECIPIENTS: '50' });
    await expect(start({ DNS_SERVERS: impossible })).rejects.toThrow('no such resolver');
  });

  it('uses the list when it can', async () => {
    await store({ MAX_RECIPIENTS: '50' });
    const { config } = await start();
    expect(config).toMatchObject({ maxRecipients: 50, source: { stored: { MAX_RECIPIENTS: '50' }, unusable: {} } });
    expect(lines).toEqual([]);
  });
});
