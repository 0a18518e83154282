import { configSchema, type Environment, fileVariables } from './config-schema.ts';

/*
 * Which variables the list in the database may set (D55). The list is read by a process that has
 * reached the database, so it can't say how to get there. And it is changed in the console, so it
 * must not say what keeps people out of the console.
 */

const here = 'Set it where the host is started.';

const reasons = {
  engines: `A process needs this to reach its database, Redis or its keys, before it can read this list. ${here}`,
  port: `The host listens there, and what starts it must know that. ${here}`,
  place: `What is stored there does not move with it. ${here}`,
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
  HTTP_PORT: 'port',
  SMTP_PORT: 'port',
  SUBMISSION_PORT: 'port',
  SUBMISSIONS_PORT: 'port',
  INBOUND_HEALTH_PORT: 'port',
  SUBMISSION_HEALTH_PORT: 'port',
  WORKERS_HEALTH_PORT: 'port',
  BIND_ADDRESS: 'port',
  HEALTH_ADDRESS: 'port',
  BLOB_STORE: 'place',
  SEARCH_DIRECTORY: 'place',
  ARCHIVE_DIRECTORY: 'place',
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
const ofPrograms =
  /^(?:(?:NODE|LD|DYLD|GLIBC|MALLOC|UV|OPENSSL|SSL|GIT|PYTHON|PERL|BASH|NPM)_.*|PATH|HOME|SHELL|ENV|IFS|HARAKA|TMPDIR)$/;

/**
 * The smallest values that leave the console usable. A smaller one is refused in the list, since it
 * could not be taken back there.
 */
const floors: Partial<Record<keyof Environment, number>> = {
  HTTP_CONNECTIONS: 100,
  HTTP_CONNECTIONS_PER_NETWORK: 100,
  HTTP_CONNECTIONS_PER_ADDRESS: 50,
  REQUEST_TIMEOUT_SECONDS: 5,
  FIRST_COMMAND_SECONDS: 5,
};

/** Names of which the values are shown only to a person who gives their password again. */
const secretName = /SECRET|PASSWORD|KEY|PASS/;
/** It holds the password of the smarthost. */
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
  return ofPrograms.test(name) ? reasons.programs : null;
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
  const floor = floors[name];
  if (floor === undefined || Number(value) >= floor) return null;
  return `The value must be at least ${floor} here: with less, the console could be out of reach.`;
}

/** What a setting means, as the schema says it; null for a name that is none. */
export function meaningOf(name: string): string | null {
  return isKnown(name) ? (configSchema.shape[name].description ?? null) : null;
}

/** What counts when a setting is given nowhere; null when it is worked out from others. */
export function defaultOf(name: string): string | null {
  if (!isKnown(name)) return null;
  const value: unknown = configSchema.shape[name].safeParse(undefined).data;
  return value === undefined ? null : String(value);
}
