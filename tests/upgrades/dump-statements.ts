import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findProgram } from '../../ops/engines/identity.ts';

/**
 * A row a line in the order of the keys, and nothing of the machine or the moment: then two dumps
 * can be compared.
 */
const options = [
  '--no-defaults',
  '--compact',
  '--order-by-primary',
  '--skip-extended-insert',
  '--hex-blob',
  '--no-tablespaces',
  '--single-transaction',
  '--default-character-set=utf8mb4',
];

/**
 * The statements that make a database and its rows again, one per line but for those that make
 * tables. References are not in order: they are checked only after the last.
 * @throws when mariadb-dump is missing or fails
 */
export async function dumpStatements(databaseUrl: string): Promise<string> {
  const program = findProgram(['mariadb-dump', 'mysqldump']);
  if (!program) throw new Error('mariadb-dump is missing: install mariadb-client');
  const url = new URL(databaseUrl);
  const socket = url.searchParams.get('socket');
  const place = socket === null ? ['--host', url.hostname, '--port', url.port || '3306'] : ['--socket', socket];
  const name = decodeURIComponent(url.pathname.slice(1));
  const user = decodeURIComponent(url.username);
  const { stdout } = await promisify(execFile)(program, [...options, ...place, '--user', user, name], {
    env: { ...process.env, MYSQL_PWD: decodeURIComponent(url.password) },
    maxBuffer: 64 * 1_048_576,
  });
  // Newer clients begin with a line that only they understand, and set what the dump does not need
  const lines = stdout.split('\n').filter((line) => !line.startsWith('/*'));
  return lines.join('\n');
}
