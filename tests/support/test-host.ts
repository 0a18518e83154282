import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { App } from '@selvage/core/context/app';
import { type DnsServer, startDnsServer, type Zone } from './dns-server.ts';
import { type Lifetime, ofFile } from './end-of-file.ts';
import { freePorts } from './free-ports.ts';
import { startRemoteServer, type RemoteServer } from './remote-server.ts';
import { startProcess } from './start-process.ts';
import { startTestApp, testEnvironment } from './test-app.ts';

const programs = {
  workers: 'workers/src/main.ts',
  inbound: 'mta/src/main-inbound.ts',
  submission: 'mta/src/main-submission.ts',
  api: 'admin-api/src/main.ts',
} as const;
export type ProgramName = keyof typeof programs;

/** A whole host, with a DNS server and a remote mail server that the test controls. */
export interface ReachableHost {
  app: App;
  url: string;
  ports: { http: number; smtp: number; submission: number; submissions: number };
  dns: DnsServer;
  remote: RemoteServer;
  dataDir: string;
  /** The /health address of each program. */
  health: Record<ProgramName, string>;
}

/**
 * A host whose four programs the test starts and ends one by one, without a supervisor. Their logs
 * are in its data folder.
 */
export interface TestHost extends ReachableHost {
  /** The last process that was started for a program. It may have started others. */
  pid(name: ProgramName): number;
  /** Starts a process, optionally with other settings, and waits until it is ready. */
  start(name: ProgramName, changes?: NodeJS.ProcessEnv): Promise<void>;
  /** Ends a process, waits for its end, and returns its exit code; null after a signal. */
  end(name: ProgramName, signal: NodeJS.Signals): Promise<number | null>;
  stop(): Promise<void>;
}

/** Records of the remote domain: mail for `remote.test` goes to the test's remote server. */
function zoneFor(): Zone {
  return {
    'remote.test': { MX: [{ preference: 10, exchange: 'mx.remote.test' }] },
    'mx.remote.test': { A: ['127.0.0.1'] },
  };
}

/**
 * As `startTestHost`, but without the SMTP programs, for tests in which no message arrives by SMTP.
 */
export function startWebHost(overrides: NodeJS.ProcessEnv = {}): Promise<TestHost> {
  return startTestHost(overrides, ['workers', 'api']);
}

/**
 * Starts a host for one test file. It stops at the end of the file, unless another lifetime is
 * given.
 */
export async function startTestHost(
  overrides: NodeJS.ProcessEnv = {},
  wanted: readonly ProgramName[] = ['workers', 'inbound', 'submission', 'api'],
  lifetime: Lifetime = ofFile,
): Promise<TestHost> {
  const around = await surroundings();
  const environment = await testEnvironment({ ...around.settings, ...overrides }, lifetime);
  const app = await startTestApp({ ...environment, LOG_LEVEL: 'error' }, lifetime);
  const { url, ports, dns, remote, health } = around;
  const running = new Map<ProgramName, ChildProcess>();
  const host: TestHost = {
    app,
    url,
    ports,
    dns,
    remote,
    dataDir: app.config.dataDir,
    health,
    pid: (name) => running.get(name)?.pid ?? 0,
    start: async (name, changes) => {
      const log = join(app.config.dataDir, `${name}.log`);
      const process = { program: programs[name], log, health: health[name], lifetime };
      const { child, untilReady } = startProcess({ ...process, environment: { ...environment, ...changes } });
      running.set(name, child);
      await untilReady();
    },
    end: (name, signal) => endProgram(running, name, signal),
    stop: async () => {
      await Promise.all([...running.keys()].map((name) => endProgram(running, name, 'SIGTERM')));
      await around.stop();
    },
  };
  lifetime.stopAtEnd(() => host.stop());
  await Promise.all(wanted.map((name) => host.start(name)));
  return host;
}

/** The servers that a host needs around it in a test, and the settings that point to them. */
export interface Surroundings extends Omit<ReachableHost, 'app' | 'dataDir'> {
  settings: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

export async function surroundings(): Promise<Surroundings> {
  const [http = 0, smtp = 0, submission = 0, submissions = 0, h1 = 0, h2 = 0, h3 = 0] = await freePorts(7);
  const dns = await startDnsServer(zoneFor());
  const remote = await startRemoteServer();
  const settings = {
    HTTP_PORT: String(http),
    SMTP_PORT: String(smtp),
    SUBMISSION_PORT: String(submission),
    SUBMISSIONS_PORT: String(submissions),
    INBOUND_HEALTH_PORT: String(h1),
    SUBMISSION_HEALTH_PORT: String(h2),
    WORKERS_HEALTH_PORT: String(h3),
    DNS_SERVERS: dns.address,
    OUTBOUND_SMTP_PORT: String(remote.port),
    RETRY_SCHEDULE: '1,1,1,2,2,5',
    SWEEP_SECONDS: '1',
    SMTP_RATE_PER_MINUTE_PER_ADDRESS: '0',
    LOG_LEVEL: 'info',
  };
  return {
    url: `http://127.0.0.1:${http}`,
    ports: { http, smtp, submission, submissions },
    health: healthAddresses({ workers: h3, inbound: h1, submission: h2, api: http }),
    dns,
    remote,
    settings,
    stop: async () => {
      await dns.stop();
      await remote.stop();
    },
  };
}

function healthAddresses(ports: Record<ProgramName, number>): Record<ProgramName, string> {
  const at = (name: ProgramName) => `http://127.0.0.1:${ports[name]}/health`;
  return { workers: at('workers'), inbound: at('inbound'), submission: at('submission'), api: at('api') };
}

async function endProgram(
  running: Map<ProgramName, ChildProcess>,
  name: ProgramName,
  signal: NodeJS.Signals,
): Promise<number | null> {
  const child = running.get(name);
  if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await gone;
  running.delete(name);
  return child.exitCode;
}
