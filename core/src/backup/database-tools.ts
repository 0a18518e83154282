import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { Config } from '../process/config.ts';
import { OperatorError } from '../operator-error.ts';

/** A running program of MariaDB. `done` settles when it has ended. */
export interface DatabaseTool {
  child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** @throws OperatorError with the program's own words when it failed */
  done: Promise<void>;
}

const mostWords = 2000;
/** A row can be as large as the server accepts; the buffer grows only as far as it must. */
const packet = '--max-allowed-packet=1G';

/** Dumps one snapshot of all tables. It changes nothing and blocks no writer. */
export function startDump(config: Pick<Config, 'databaseUrl'>): DatabaseTool {
  return startTool(config, 'mariadb-dump', [
    '--single-transaction',
    '--quick',
    '--skip-lock-tables',
    '--no-tablespaces',
    // The dump scanner finds columns by their names
    '--complete-insert',
    '--hex-blob',
    packet,
  ]);
}

/** Runs the statements that are written to its input, up to the first that fails. */
export function startLoad(config: Pick<Config, 'databaseUrl'>): DatabaseTool {
  return startTool(config, 'mariadb', ['--batch', packet]);
}

/**
 * Connects as the processes do: without TLS, and with the socket if there is one. The password
 * travels in the environment, which only this account and root can read.
 */
function startTool({ databaseUrl }: Pick<Config, 'databaseUrl'>, program: string, options: string[]): DatabaseTool {
  const url = new URL(databaseUrl);
  const socket = url.searchParams.get('socket');
  const place =
    socket === null
      ? ['--protocol=tcp', `--host=${url.hostname}`, `--port=${url.port || '3306'}`]
      : [`--socket=${socket}`];
  const args = [
    '--no-defaults',
    '--skip-ssl',
    '--default-character-set=utf8mb4',
    ...place,
    `--user=${decodeURIComponent(url.username)}`,
    ...options,
    decodeURIComponent(url.pathname.slice(1)),
  ];
  const env = { ...process.env, MYSQL_PWD: decodeURIComponent(url.password) };
  const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
  const done = untilDone(child, program);
  // A failure also ends the streams, so the caller may not have awaited `done` yet
  done.catch(() => undefined);
  return { child, done };
}

async function untilDone(child: DatabaseTool['child'], program: string): Promise<void> {
  let words = '';
  child.stderr.on('data', (bytes: Buffer) => {
    words = (words + bytes.toString()).slice(-mostWords);
  });
  const status = await new Promise<number | string>((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => reject(withoutProgram(error, program)));
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
  if (status !== 0) throw new OperatorError(`${program} failed (${status}): ${words.trim() || 'it gave no reason'}`);
}

function withoutProgram(error: NodeJS.ErrnoException, program: string): Error {
  if (error.code !== 'ENOENT') return error;
  return new OperatorError(
    `${program} is missing; install MariaDB's client (on Debian: apt-get install mariadb-client)`,
  );
}
