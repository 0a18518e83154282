/**
 * `node ops/bench/count-entries.ts <address>`: for each line of its input, prints how many messages
 * that mailbox holds. One process serves a whole measurement, since starting one for each question
 * would cost more than many messages.
 */
import { createInterface } from 'node:readline';
import { loadConfig } from '@selvage/core/process/config';
import mysql from 'mysql2/promise';
import { print } from '../print.ts';

const { databaseUrl } = loadConfig();
const url = new URL(databaseUrl);
const socketPath = url.searchParams.get('socket');
const connection = await mysql.createConnection({
  ...(socketPath ? { socketPath } : { host: url.hostname, port: Number(url.port || 3306) }),
  user: decodeURIComponent(url.username),
  password: decodeURIComponent(url.password),
  database: url.pathname.slice(1),
});
const count =
  'SELECT COUNT(*) AS held FROM mailbox_entries JOIN users ON users.id = mailbox_entries.user_id WHERE users.email = ?';
for await (const _line of createInterface({ input: process.stdin })) {
  const [rows] = await connection.query<mysql.RowDataPacket[]>(count, [process.argv[2]]);
  print(String(rows[0]?.['held']));
}
await connection.end();
