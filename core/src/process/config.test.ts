import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createResolver } from '../dns/resolver.ts';
import { type Config, ConfigError, loadConfig } from './config.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'selvage-config-'));
});

afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

function load(env: NodeJS.ProcessEnv = {}): Config {
  return loadConfig({ SELVAGE_DATA: directory, ...env });
}

function problemsOf(env: NodeJS.ProcessEnv): string[] {
  try {
    load(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('loadConfig', () => {
  it('needs nothing but a data directory and derives the private engines from it', () => {
    const config = load({ SELVAGE_HOSTNAME: 'mail.example.com' });
    expect(config.adminEmail).toBe('admin@mail.example.com');
    expect(config.url).toBe('http://localhost:8080');
    expect(config.redisUrl).toBe(`unix://${directory}/run/redis.sock?db=0`);
    expect(new URL(config.databaseUrl).searchParams.get('socket')).toBe(`${directory}/run/mariadb.sock`);
    expect(config.blobStore).toEqual({ kind: 'file', directory: join(directory, 'blobs') });
    expect(config.retryScheduleSeconds).toHaveLength(13);
    expect(config.undoMs).toBe(3500);
    expect(config.keptDays).toEqual({ ledger: 400, audit: 400, session: 30, junk: 30 });
  });

  it('lets the HTTP port listen at an address of its own, so that a proxy alone reaches it', () => {
    expect(load({ BIND_ADDRESS: '0.0.0.0' })).toMatchObject({ bindAddress: '0.0.0.0', httpAddress: '0.0.0.0' });
    const config = load({ BIND_ADDRESS: '0.0.0.0', HTTP_ADDRESS: '127.0.0.1' });
    expect(config).toMatchObject({ bindAddress: '0.0.0.0', httpAddress: '127.0.0.1' });
    expect(problemsOf({ HTTP_ADDRESS: 'localhost' })).toEqual(['HTTP_ADDRESS: must be an IP address']);
  });

  it("takes the administrator's address in any case, as login and mail look it up in lower case", () => {
    expect(load({ SELVAGE_ADMIN_EMAIL: 'Admin@Example.COM' }).adminEmail).toBe('admin@example.com');
  });

  it('names every problem at once', () => {
    const problems = problemsOf({
      HTTP_PORT: 'eighty',
      SMTP_PORT: '70000',
      SELVAGE_URL: 'not a url',
      SELVAGE_SECRET_KEY: 'short',
      DNS_SERVERS: 'resolver.example.com',
      RETRY_SCHEDULE: '60,soon',
      BLOB_STORE: 's3://bucket?endpoint=http://minio',
      DATABASE_URL_FILE: '/nowhere/at/all',
    });
    const names = problems.map((problem) => problem.split(':')[0] ?? '').toSorted((a, b) => a.localeCompare(b));
    expect(names).toEqual([
      'BLOB_STORE',
      'DATABASE_URL_FILE',
      'DNS_SERVERS',
      'HTTP_PORT',
      'RETRY_SCHEDULE',
      'SELVAGE_SECRET_KEY',
      'SELVAGE_URL',
      'SMTP_PORT',
    ]);
    expect(problems.find((problem) => problem.startsWith('BLOB_STORE'))).toContain('not supported yet');
  });

  it('takes an empty variable as an absent one', () => {
    expect(load({ HTTP_PORT: '', OUTBOUND_RELAY: ' ' })).toMatchObject({ httpPort: 8080, outboundRelay: null });
  });

  it('reads secrets from files and refuses a variable that is given twice', () => {
    const path = join(directory, 'password');
    writeFileSync(path, 'correct horse\n');
    expect(load({ SELVAGE_ADMIN_PASSWORD_FILE: path }).adminPassword).toBe('correct horse');
    expect(problemsOf({ SELVAGE_ADMIN_PASSWORD_FILE: path, SELVAGE_ADMIN_PASSWORD: 'battery staple' })).toHaveLength(1);
  });

  it('finds relative places below the checkout, in whatever folder a command is started', () => {
    const checkout = join(import.meta.dirname, '../../..');
    writeFileSync(join(directory, 'password'), 'correct horse\n');
    const program = `import { loadConfig } from '${join(import.meta.dirname, 'config.ts')}';
      const { blobStore, searchDirectory, archives, publicSite, adminPassword } = loadConfig();
      const places = [blobStore.directory, searchDirectory, archives.directory, publicSite.directory];
      process.stdout.write(JSON.stringify([...places, adminPassword]));`;
    const text = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: directory,
      encoding: 'utf8',
      env: {
        SELVAGE_DATA: directory,
        BLOB_STORE: 'file:mail',
        SEARCH_DIRECTORY: 'indexes',
        ARCHIVE_DIRECTORY: '../archives',
        SITE_DIRECTORY: 'pages',
        SELVAGE_ADMIN_PASSWORD_FILE: relative(checkout, join(directory, 'password')),
      },
    });
    const found = ['mail', 'indexes', '../archives', 'pages'].map((name) => join(checkout, name));
    expect(JSON.parse(text)).toEqual([...found, 'correct horse']);
  });

  it('makes the secret key once, readable by the owner only, and leaves nothing else behind', () => {
    const first = load().secretKey;
    expect(load().secretKey.equals(first)).toBe(true);
    expect(first).toHaveLength(32);
    expect(statSync(join(directory, 'secrets', 'secret-key')).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(directory, 'secrets')).toSorted()).toEqual(['database-password', 'secret-key']);
  });

  it('reports a secret key file that does not hold a key', () => {
    load();
    writeFileSync(join(directory, 'secrets', 'secret-key'), 'garbage');
    expect(problemsOf({})[0]).toContain('64 hexadecimal digits');
  });

  it('takes a smarthost apart', () => {
    expect(load({ OUTBOUND_RELAY: 'smtp://me%40x:p%3Aw@relay.example.com' }).outboundRelay).toEqual({
      host: 'relay.example.com',
      port: 587,
      secure: false,
      username: 'me@x',
      password: 'p:w',
    });
  });

  it('takes resolvers of both address families with and without a port', () => {
    const servers = ['127.0.0.1:5353', '::1', '[::1]:53', '9.9.9.9', '[2001:db8::1]', '1.2.3.4:65535'];
    expect(load({ DNS_SERVERS: servers.join(', ') }).dnsServers).toEqual(servers);
    // What the schema takes, the resolver can begin with
    expect(() => createResolver(servers)).not.toThrow();
  });

  it.each([
    '999.1.1.1',
    '1.2.3.4:99999',
    '1.2.3.4:65536',
    '1.2.3.4:0',
    '1.2.3.4:',
    '01.2.3.4',
    ':::',
    '12345::1',
    '[1.2.3.4]:53',
    '[::1]:0',
    '[::1]:65536',
    '[12345::1]',
    '[::1',
    'fe80::1%eth0',
    '1.2.3.4:53:53',
  ])('refuses %s, which is no address of a resolver', (server) => {
    expect(problemsOf({ DNS_SERVERS: `9.9.9.9,${server}` })).toEqual([
      'DNS_SERVERS: must be addresses with an optional port, separated by commas',
    ]);
  });

  it.each(['smtp://%C3:%A9@relay.test', 'smtp://a%4:1b@relay.test', 'smtp://a%ZZ@relay.test', 'smtp://a:%@relay.test'])(
    'refuses the login of %s, of which no part can be decoded by itself',
    (relay) => {
      expect(problemsOf({ OUTBOUND_RELAY: relay })).toEqual([expect.stringMatching(/^OUTBOUND_RELAY: .*login/)]);
    },
  );

  it.each([
    ['DATABASE_URL', 'mysql://a:100%@db.test/selvage'],
    ['DATABASE_URL', 'mysql://a:b@db.test/a%zz'],
    ['REDIS_URL', 'redis://:100%@redis.test'],
  ])('refuses a %s with a part that can’t be decoded: %s', (name, url) => {
    expect(problemsOf({ [name]: url })).toEqual([expect.stringContaining(`${name}: has a login or a path`)]);
  });

  it('refuses a pause before the next attempt of more than 30 days', () => {
    expect(load({ RETRY_SCHEDULE: '60,2592000' }).retryScheduleSeconds).toEqual([60, 2_592_000]);
    expect(problemsOf({ RETRY_SCHEDULE: '60,2592001' })).toEqual([
      'RETRY_SCHEDULE: must be seconds separated by commas, each at most 2592000 (30 days)',
    ]);
  });
});
