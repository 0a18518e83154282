import { messageOf } from '../errors.ts';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { HeaderLimits } from '../mail/header-guard.ts';
import { configSchema, type Environment, fileVariables } from './config-schema.ts';
import { ensureSecretFile } from '../secrets/secret-files.ts';

/** A smarthost that takes everything that leaves. */
export interface RelayConfig {
  host: string;
  port: number;
  /** TLS from the first byte (`smtps:`). */
  secure: boolean;
  username: string | null;
  password: string | null;
}

/** The configuration of this process. config-schema.ts explains each value at its variable. */
export interface Config {
  /** Absolute. */
  dataDir: string;
  hostname: string;
  /** Without a slash at the end. */
  url: string;
  /**
   * The folder of the operator's own public site, and whether the operator named it: one that was
   * named must be there. Null: the public site is switched off.
   */
  publicSite: { directory: string; isNamed: boolean } | null;
  /** Lower case, as every address that a person logs in with. */
  adminEmail: string;
  /** Null: the first start generates one. */
  adminPassword: string | null;
  httpPort: number;
  smtpPort: number;
  submissionPort: number;
  submissionsPort: number;
  /** The port that mail programs are told to use. */
  publicSubmissionPort: number;
  publicSubmissionsPort: number;
  inboundHealthPort: number;
  submissionHealthPort: number;
  workersHealthPort: number;
  /** How many processes of each kind there are. */
  processes: { inbound: number; submission: number; workers: number; api: number };
  /** Whether a program of one process has a primary too. */
  hasPrimary: boolean;
  bindAddress: string;
  httpAddress: string;
  healthAddress: string;
  databaseUrl: string;
  databasePool: number;
  databaseTimeoutSeconds: number;
  redisUrl: string;
  blobStore: { kind: 'file'; directory: string };
  searchDirectory: string;
  /** Archives of companies (D66). */
  archives: { directory: string; days: number; spareBytes: number };
  /** Empty: the resolvers of the system. */
  dnsServers: string[];
  /** Whether the answers of these resolvers about DNSSEC can be trusted. */
  dnsValidates: boolean;
  /** Zones of DNS blocklists that a check of a domain asks; none unless the operator names some. */
  blocklists: string[];
  /** What the MTA-STS policy of hosted domains asks of other servers (RFC 8461 5). */
  stsMode: Environment['MTA_STS_MODE'];
  /** The postal code is appended. */
  postalCodeUrl: string;
  outboundSmtpPort: number;
  mtaStsPort: number;
  outboundRelay: RelayConfig | null;
  /** The mechanism of an SPF record that stands for the smarthost; null when it is unknown. */
  outboundRelaySpf: string | null;
  outboundPerDomain: number;
  outboundConcurrency: number;
  outboundAllowPrivate: boolean;
  remoteContentAllowPrivate: boolean;
  outboundTimeoutSeconds: number;
  outboundJudgementSeconds: number;
  sessionLimit: number;
  /** 32 bytes; every other key is derived from it, see secrets-box.ts. */
  secretKey: Buffer;
  logLevel: Environment['LOG_LEVEL'];
  maxMessageBytes: number;
  headerLimits: HeaderLimits;
  searchThreads: number;
  contentThreads: number;
  contentCpuSeconds: number;
  contentMemoryMegabytes: number;
  watchdogSeconds: number;
  maxRecipients: number;
  /** Most bytes in a mailbox for which nothing else sets a limit; null for any number. */
  mailboxBytes: number | null;
  undoMs: number;
  retryScheduleSeconds: number[];
  delayReportAfterSeconds: number;
  sweepSeconds: number;
  blobSweepHours: number;
  blobOrphanHours: number;
  /** 0: never. */
  blobCheckDays: number;
  /** How long rows are kept after their end; 0: for ever. */
  keptDays: { ledger: number; audit: number; session: number; junk: number };
  smtpConnectionsPerAddress: number;
  smtpConnectionsPerNetwork: number;
  smtpConnections: number;
  httpConnectionsPerAddress: number;
  httpConnectionsPerNetwork: number;
  httpConnections: number;
  tlsHandshakeSeconds: number;
  firstCommandSeconds: number;
  loginSeconds: number;
  transferSeconds: number;
  /** 0: no limit. */
  transferBytesPerSecond: number;
  messageMemoryBytes: number;
  /** 0: no limit. */
  smtpRatePerMinutePerAddress: number;
  requestTimeoutSeconds: number;
  trustedProxies: number;
  /** Whether the variables that are kept in the database count (D55). */
  usesStoredEnvironment: boolean;
  /** The secret key is lost, and another one takes its place. */
  acceptsNewKey: boolean;
  source: ConfigSource;
}

/** Where the values of a configuration come from, by the names of their variables. */
export interface ConfigSource {
  /** The values of the environment at the start of the process. */
  given: Record<string, string>;
  /** The values of the list in the database, which replace those of the environment. */
  stored: Record<string, string>;
  /** Why a value of the list is not used. */
  unusable: Record<string, string>;
  /** How often the list had been changed when it was read. */
  revision: number;
  /** How many restarts of the host had been asked for by then. */
  restart: number;
}

/**
 * Relative places start here, where the programs of a host run. Commands of the operator run in
 * whatever folder their shell is in.
 */
const checkout = join(import.meta.dirname, '../../..');

/** The environment can't be used; `problems` names every variable that is wrong. */
export class ConfigError extends Error {
  readonly problems: string[];

  constructor(problems: string[]) {
    super(`The configuration has ${problems.length} problem(s):\n${problems.map((line) => `  ${line}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/**
 * Reads the environment, once, at the start of a process. Makes the secrets that are missing under
 * the data directory.
 * @throws ConfigError with all problems at once
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const problems: string[] = [];
  const given = readGiven(env, problems);
  const parsed = configSchema.safeParse(given);
  for (const issue of parsed.error?.issues ?? []) problems.push(`${issue.path.join('.')}: ${issue.message}`);
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  try {
    return { ...toConfig(parsed.data), source: { given, stored: {}, unusable: {}, revision: 0, restart: 0 } };
  } catch (error) {
    const reason = messageOf(error);
    throw new ConfigError([`SELVAGE_DATA: secrets can't be kept in ${parsed.data.SELVAGE_DATA}: ${reason}`]);
  }
}

function readGiven(env: NodeJS.ProcessEnv, problems: string[]): Record<string, string> {
  const given: Record<string, string> = {};
  for (const name of Object.keys(configSchema.shape)) {
    const value = env[name]?.trim();
    if (value) given[name] = value;
  }
  for (const name of fileVariables) {
    const path = env[`${name}_FILE`]?.trim();
    if (!path) continue;
    if (given[name] !== undefined) problems.push(`${name}_FILE: ${name} is set as well; keep one of them`);
    try {
      given[name] = readFileSync(resolve(checkout, path), 'utf8').trim();
    } catch (error) {
      problems.push(`${name}_FILE: can't be read: ${messageOf(error)}`);
    }
  }
  return given;
}

function toConfig(env: Environment): Omit<Config, 'source'> {
  const dataDir = resolve(env.SELVAGE_DATA);
  return {
    dataDir,
    hostname: env.SELVAGE_HOSTNAME,
    url: (env.SELVAGE_URL ?? `http://localhost:${env.HTTP_PORT}`).replace(/\/+$/, ''),
    publicSite: publicSiteOf(env, dataDir),
    adminEmail: (env.SELVAGE_ADMIN_EMAIL ?? `admin@${env.SELVAGE_HOSTNAME}`).toLowerCase(),
    adminPassword: env.SELVAGE_ADMIN_PASSWORD ?? null,
    bindAddress: env.BIND_ADDRESS,
    httpAddress: env.HTTP_ADDRESS ?? env.BIND_ADDRESS,
    healthAddress: env.HEALTH_ADDRESS,
    ...ports(env),
    processes: {
      inbound: env.PROCESSES_INBOUND,
      submission: env.PROCESSES_SUBMISSION,
      workers: env.PROCESSES_WORKERS,
      api: env.PROCESSES_API,
    },
    hasPrimary: env.PRIMARY_PROCESS,
    ...engines(env, dataDir),
    ...limits(env),
    dnsServers: env.DNS_SERVERS,
    dnsValidates: env.DNS_VALIDATES,
    blocklists: env.DNS_BLOCKLISTS,
    stsMode: env.MTA_STS_MODE,
    postalCodeUrl: env.POSTAL_CODE_URL,
    outboundRelaySpf: env.OUTBOUND_RELAY_SPF ?? null,
    outboundRelay: env.OUTBOUND_RELAY === undefined ? null : relayOf(env.OUTBOUND_RELAY),
    requestTimeoutSeconds: env.REQUEST_TIMEOUT_SECONDS,
    trustedProxies: env.TRUSTED_PROXIES,
    logLevel: env.LOG_LEVEL,
    usesStoredEnvironment: env.STORED_ENVIRONMENT,
    acceptsNewKey: env.ACCEPT_NEW_KEY,
  };
}

function publicSiteOf(env: Environment, dataDir: string): Config['publicSite'] {
  if (env.PUBLIC_SITE === 'off') return null;
  const { SITE_DIRECTORY: named } = env;
  return { directory: resolve(checkout, named ?? join(dataDir, 'site')), isNamed: named !== undefined };
}

function ports(env: Environment) {
  return {
    httpPort: env.HTTP_PORT,
    smtpPort: env.SMTP_PORT,
    submissionPort: env.SUBMISSION_PORT,
    submissionsPort: env.SUBMISSIONS_PORT,
    publicSubmissionPort: env.PUBLIC_SUBMISSION_PORT ?? env.SUBMISSION_PORT,
    publicSubmissionsPort: env.PUBLIC_SUBMISSIONS_PORT ?? env.SUBMISSIONS_PORT,
    inboundHealthPort: env.INBOUND_HEALTH_PORT,
    submissionHealthPort: env.SUBMISSION_HEALTH_PORT,
    workersHealthPort: env.WORKERS_HEALTH_PORT,
    outboundSmtpPort: env.OUTBOUND_SMTP_PORT,
    mtaStsPort: env.MTA_STS_PORT,
  };
}

function engines(env: Environment, dataDir: string) {
  const secretsDir = join(dataDir, 'secrets');
  const run = join(dataDir, 'run');
  const secretKey = env.SELVAGE_SECRET_KEY ?? ensureSecretFile(secretsDir, 'secret-key', 32);
  if (!/^[0-9a-fA-F]{64}$/.test(secretKey)) throw new Error('secrets/secret-key must hold 64 hexadecimal digits');
  return {
    secretKey: Buffer.from(secretKey, 'hex'),
    databaseUrl: env.DATABASE_URL ?? privateDatabaseUrl(secretsDir, join(run, 'mariadb.sock')),
    databasePool: env.DATABASE_POOL,
    databaseTimeoutSeconds: env.DATABASE_TIMEOUT_SECONDS,
    redisUrl: env.REDIS_URL ?? `unix://${join(run, 'redis.sock')}?db=0`,
    blobStore: {
      kind: 'file' as const,
      directory: resolve(checkout, (env.BLOB_STORE ?? `file:${join(dataDir, 'blobs')}`).replace(/^file:(\/\/)?/, '')),
    },
    searchDirectory: resolve(checkout, env.SEARCH_DIRECTORY ?? join(dataDir, 'search')),
    archives: {
      directory: resolve(checkout, env.ARCHIVE_DIRECTORY ?? join(dataDir, 'archives')),
      days: env.ARCHIVE_DAYS,
      spareBytes: env.ARCHIVE_SPARE_BYTES,
    },
  };
}

function privateDatabaseUrl(secretsDir: string, socket: string): string {
  const password = ensureSecretFile(secretsDir, 'database-password', 24);
  return `mysql://selvage:${encodeURIComponent(password)}@localhost/selvage?socket=${encodeURIComponent(socket)}`;
}

function limits(env: Environment) {
  return {
    sessionLimit: env.SESSION_LIMIT,
    maxMessageBytes: env.MAX_MESSAGE_BYTES,
    headerLimits: {
      maxHeaderBytes: env.MAX_HEADER_BYTES,
      maxHeaderLines: env.MAX_HEADER_LINES,
      maxHeaderFields: env.MAX_HEADER_FIELDS,
      maxFieldBytes: env.MAX_HEADER_FIELD_BYTES,
    },
    searchThreads: env.SEARCH_THREADS,
    contentThreads: env.CONTENT_THREADS,
    contentCpuSeconds: env.CONTENT_CPU_SECONDS,
    contentMemoryMegabytes: env.CONTENT_MEMORY_MB,
    watchdogSeconds: env.WATCHDOG_SECONDS,
    maxRecipients: env.MAX_RECIPIENTS,
    mailboxBytes: env.MAILBOX_BYTES || null,
    undoMs: env.UNDO_MS,
    retryScheduleSeconds: env.RETRY_SCHEDULE,
    delayReportAfterSeconds: env.DELAY_REPORT_AFTER,
    sweepSeconds: env.SWEEP_SECONDS,
    blobSweepHours: env.BLOB_SWEEP_HOURS,
    blobOrphanHours: env.BLOB_ORPHAN_HOURS,
    blobCheckDays: env.BLOB_CHECK_DAYS,
    keptDays: { ledger: env.LEDGER_DAYS, audit: env.AUDIT_DAYS, session: env.SESSION_DAYS, junk: env.JUNK_DAYS },
    outboundPerDomain: env.OUTBOUND_PER_DOMAIN,
    outboundConcurrency: env.OUTBOUND_CONCURRENCY,
    outboundAllowPrivate: env.OUTBOUND_ALLOW_PRIVATE,
    remoteContentAllowPrivate: env.REMOTE_CONTENT_ALLOW_PRIVATE,
    outboundTimeoutSeconds: env.OUTBOUND_TIMEOUT_SECONDS,
    outboundJudgementSeconds: env.OUTBOUND_JUDGEMENT_SECONDS,
    ...doorLimits(env),
  };
}

function doorLimits(env: Environment) {
  return {
    smtpConnectionsPerAddress: env.SMTP_CONNECTIONS_PER_ADDRESS,
    smtpConnectionsPerNetwork: env.SMTP_CONNECTIONS_PER_NETWORK,
    smtpConnections: env.SMTP_CONNECTIONS,
    smtpRatePerMinutePerAddress: env.SMTP_RATE_PER_MINUTE_PER_ADDRESS,
    httpConnectionsPerAddress: env.HTTP_CONNECTIONS_PER_ADDRESS,
    httpConnectionsPerNetwork: env.HTTP_CONNECTIONS_PER_NETWORK,
    httpConnections: env.HTTP_CONNECTIONS,
    tlsHandshakeSeconds: env.TLS_HANDSHAKE_SECONDS,
    firstCommandSeconds: env.FIRST_COMMAND_SECONDS,
    loginSeconds: env.LOGIN_SECONDS,
    transferSeconds: env.TRANSFER_SECONDS,
    transferBytesPerSecond: env.TRANSFER_BYTES_PER_SECOND,
    messageMemoryBytes: env.MESSAGE_MEMORY_BYTES,
  };
}

function relayOf(value: string): RelayConfig {
  const url = new URL(value);
  const secure = url.protocol === 'smtps:';
  return {
    host: url.hostname,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    username: url.username === '' ? null : decodeURIComponent(url.username),
    password: url.password === '' ? null : decodeURIComponent(url.password),
  };
}
