/*
 * Sequelize's errors are known by their names, so that commands and the supervisor, which say what
 * a failure means, need not load Sequelize.
 */

const awayNames = new Set([
  'SequelizeConnectionError',
  'SequelizeAccessDeniedError',
  'SequelizeConnectionRefusedError',
  'SequelizeConnectionTimedOutError',
  'SequelizeHostNotFoundError',
  'SequelizeHostNotReachableError',
  'SequelizeInvalidConnectionError',
  'SequelizeConnectionAcquireTimeoutError',
  'SequelizeTimeoutError',
]);

/** Causes that end by themselves or that the operator ends: the caller should ask again later. */
const awayCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_SEQUENCE_TIMEOUT',
]);

/** Server error numbers of MariaDB and MySQL with the same meaning. */
const awayNumbers = new Set([
  3, // error writing file
  1020, // record changed since last read, a conflict of a cluster
  1021, // disk full
  1026, // error on write
  1040, // too many connections
  1047, // node of a cluster not ready
  1053, // shutdown in progress
  1114, // table full
  1205, // lock wait timeout
  1213, // deadlock
  1290, // read-only
  1317, // interrupted
  1792, // read-only transaction
  1836, // read-only mode
  1927, // connection killed
  1969, // ran longer than MariaDB's time limit for a statement
  2006, // gone away
  2013, // lost during query
  3024, // ran longer than MySQL's time limit for a statement
]);

interface Link {
  name?: unknown;
  code?: unknown;
  errno?: unknown;
  fatal?: unknown;
  original?: unknown;
  parent?: unknown;
  cause?: unknown;
}

/** The error and its causes, by every name that libraries give to a cause. */
function chainOf(error: unknown): Link[] {
  const chain: Link[] = [];
  let next: unknown = error;
  while (typeof next === 'object' && next !== null && chain.length < 8) {
    const link = next as Link;
    chain.push(link);
    next = link.original ?? link.parent ?? link.cause;
  }
  return chain;
}

/**
 * True when the database can't be reached, is read-only, full or overloaded. Callers then answer
 * 503 (HTTP) or 451 (SMTP), not 500.
 */
export function isDatabaseAway(error: unknown): boolean {
  const chain = chainOf(error);
  if (!chain.some((link) => isFromDatabase(link))) return false;
  return chain.some(
    (link) =>
      (typeof link.name === 'string' && awayNames.has(link.name)) ||
      link.fatal === true ||
      (typeof link.code === 'string' && awayCodes.has(link.code)) ||
      (typeof link.errno === 'number' && awayNumbers.has(link.errno)),
  );
}

/**
 * Those of `awayNumbers` that concern one statement and the rows that it works on: the same work
 * may fail each time, and other work may succeed.
 */
const oneStatementNumbers = new Set([1020, 1205, 1213, 1969, 3024]);

/**
 * True when the database is away for all work. Work on many items ends then. It goes on with the
 * next item when only a statement took too long, so that one item can't keep all others from their
 * turn.
 */
export function isAwayForAll(error: unknown): boolean {
  const isOfOneStatement = chainOf(error).some(
    ({ errno }) => typeof errno === 'number' && oneStatementNumbers.has(errno),
  );
  return isDatabaseAway(error) && !isOfOneStatement;
}

/** mysql2's own errors are known by `fatal` or an SQL state. */
function isFromDatabase(link: Link): boolean {
  return (link instanceof Error && link.name.startsWith('Sequelize')) || 'sqlState' in link || link.fatal === true;
}

const refusalNumbers = new Set([
  1044, // the account may not use the database
  1045, // wrong name or password
  1049, // there is no such database
  1698, // the account has no password
]);

/** True when the server refuses the login or the database itself: asking again does not help. */
export function isLoginRefused(error: unknown): boolean {
  return chainOf(error).some((link) => typeof link.errno === 'number' && refusalNumbers.has(link.errno));
}

/**
 * Deadlock, and "record has changed since last read" of snapshot isolation: the same work may
 * succeed now.
 */
const rolledBackNumbers = new Set([1213, 1020]);

/** True when the engine rolled a transaction back in favour of another: it may be run again. */
export function wasRolledBack(error: unknown): boolean {
  return chainOf(error).some((link) => typeof link.errno === 'number' && rolledBackNumbers.has(link.errno));
}

/**
 * True when a commit may have been carried out although it failed here: its answer was lost, or a
 * second try meets the rows of the first one.
 */
export function mayBeCommitted(error: unknown): boolean {
  return isDatabaseAway(error) || chainOf(error).some(({ name }) => name === 'SequelizeUniqueConstraintError');
}
