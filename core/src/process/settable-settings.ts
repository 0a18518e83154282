import { configSchema, engineVariables, type Environment, fileVariables } from './config-schema.ts';

/*
 * The variables that the list in the database may set (D55). A process reads the list after it has
 * reached the database, so the list can't set how to reach it. Administrators change the list in
 * the console, so it must not hold a value that keeps them out of the console.
 */

const here = 'Set it where the host is started.';

const reasons = {
  engines: `A process needs this to reach its database, Redis or its keys, before it can read this list. ${here}`,
  database: `The private database is started with this, before a process can read this list. ${here}`,
  port: `The host listens there, and what starts it must know that. ${here}`,
  place: `What is stored there does not move with it. ${here}`,
  published: `All that is in that folder is shown to everybody. ${here}`,
  name: `The certificate, passkeys and the web server in front go by it. ${here}`,
  early: `The first process of each program reads this before it reaches the database. ${here}`,
  first: 'It counts only when the host is started for the first time.',
  file: 'Put the value itself into this list, under the name without _FILE.',
  programs: `It changes how programs on this server are run, so the list never hands it to them. ${here}`,
} as const;

const refused: Partial<Record<keyof Environment, keyof typeof reasons>> = {
  SELVAGE_DATA: 'engines',
  SELVAGE_SECRET_KEY: 'engines',
  DATABASE_URL: 'engines',
  DATABASE_POOL: 'engines',
  DATABASE_TIMEOUT_SECONDS: 'engines',
  REDIS_URL: 'engines',
  STORED_ENVIRONMENT: 'engines',
  ACCEPT_NEW_KEY: 'engines',
  HTTP_PORT: 'port',
  SMTP_PORT: 'port',
  SUBMISSION_PORT: 'port',
  SUBMISSIONS_PORT: 'port',
  INBOUND_HEALTH_PORT: 'port',
  SUBMISSION_HEALTH_PORT: 'port',
  WORKERS_HEALTH_PORT: 'port',
  BIND_ADDRESS: 'port',
  HTTP_ADDRESS: 'port',
  HEALTH_ADDRESS: 'port',
  BLOB_STORE: 'place',
  SEARCH_DIRECTORY: 'place',
  ARCHIVE_DIRECTORY: 'place',
  SITE_DIRECTORY: 'published',
  SELVAGE_HOSTNAME: 'name',
  SELVAGE_URL: 'name',
  TRUSTED_PROXIES: 'name',
  PROCESSES_INBOUND: 'early',
  PROCESSES_SUBMISSION: 'early',
  PROCESSES_WORKERS: 'early',
  PROCESSES_API: 'early',
  PRIMARY_PROCESS: 'early',
  WATCHDOG_SECONDS: 'early',
  SELVAGE_ADMIN_EMAIL: 'first',
  SELVAGE_ADMIN_PASSWORD: 'first',
};

/** Variables that Node, the loader, shells and libraries obey. */
export const obeyedByPrograms =
  /^(?:(?:NODE|LD|DYLD|GLIBC|MALLOC|UV|OPENSSL|SSL|GIT|PYTHON|PERL|BASH|NPM)_.*|PATH|HOME|SHELL|ENV|IFS|HARAKA|TMPDIR)$/;

interface Floor {
  least: number;
  /** What a smaller value would do. */
  because: string;
  /** True if 0 means no limit, and so counts as more than any other value. */
  mayBeZero?: boolean;
}

const reachable = 'with less, the console could be out of reach.';
const traces = 'with less, a person with access to this list could erase the traces of what they did.';
const junk = 'with less, mail that was taken for junk is gone before its reader looks for it.';

/**
 * The smallest values that the list takes. A smaller one could put the console out of reach, where
 * it would be taken back, or let the sweeps delete what never comes back.
 */
const floors: Partial<Record<keyof Environment, Floor>> = {
  HTTP_CONNECTIONS: { least: 100, because: reachable },
  HTTP_CONNECTIONS_PER_NETWORK: { least: 100, because: reachable },
  HTTP_CONNECTIONS_PER_ADDRESS: { least: 50, because: reachable },
  REQUEST_TIMEOUT_SECONDS: { least: 5, because: reachable },
  FIRST_COMMAND_SECONDS: { least: 5, because: reachable },
  AUDIT_DAYS: { least: 30, because: traces, mayBeZero: true },
  LEDGER_DAYS: { least: 30, because: traces, mayBeZero: true },
  JUNK_DAYS: { least: 7, because: junk, mayBeZero: true },
};

/** Names of which the values are shown only to a person who gives their password again. */
const secretName = /SECRET|PASSWORD|KEY|PASS/;
/** Their values hold a password, which their names do not show. */
const secretsByContent = new Set<string>(['OUTBOUND_RELAY', 'DATABASE_URL', 'REDIS_URL']);

/** Whether the value of a variable is a secret. */
export function isSecretSetting(name: string): boolean {
  return secretName.test(name) || secretsByContent.has(name);
}

function isKnown(name: string): name is keyof Environment {
  return Object.hasOwn(configSchema.shape, name);
}

/** Why the list can't hold this variable; null when it can. */
export function whyNotSettable(name: string): string | null {
  if (isKnown(name)) {
    const reason = refused[name];
    return reason === undefined ? null : reasons[reason];
  }
  if (fileVariables.some((variable) => name === `${variable}_FILE`)) return reasons.file;
  if (engineVariables.includes(name)) return reasons.database;
  return obeyedByPrograms.test(name) ? reasons.programs : null;
}

/** Whether Selvage reads the variable from the list. */
export function hasEffect(name: string): boolean {
  return isKnown(name) && refused[name] === undefined;
}

/** The names that the list can set with effect. */
export function settableNames(): string[] {
  return Object.keys(configSchema.shape).filter(hasEffect);
}

/** What is wrong with the value of a variable in the list; null when nothing is. */
export function problemOfSetting(name: string, value: string): string | null {
  const refusal = whyNotSettable(name);
  if (refusal !== null) return refusal;
  if (!isKnown(name)) return null;
  const issue = configSchema.shape[name].safeParse(value.trim()).error?.issues[0];
  if (issue) return `The value ${issue.message}.`;
  return problemOfFloor(name, Number(value));
}

function problemOfFloor(name: keyof Environment, value: number): string | null {
  const floor = floors[name];
  if (floor === undefined || value >= floor.least) return null;
  if (floor.mayBeZero && value === 0) return null;
  return `The value must be at least ${floor.least} here${floor.mayBeZero ? ', or 0' : ''}: ${floor.because}`;
}

/** The description of a setting in the schema; null for an unknown name. */
export function meaningOf(name: string): string | null {
  return isKnown(name) ? (configSchema.shape[name].description ?? null) : null;
}

/** The default of a setting; null when it is worked out from other settings. */
export function defaultOf(name: string): string | null {
  if (!isKnown(name)) return null;
  const value: unknown = configSchema.shape[name].safeParse(undefined).data;
  return value === undefined ? null : String(value);
}
