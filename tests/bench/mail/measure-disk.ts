import { randomBytes } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '@selvage/core/context/app';
import { systemContext } from '@selvage/core/context/context';
import { updateIndex } from '@selvage/core/search/update-index';
import { print } from '../../../ops/print.ts';
import { buildCompany, buildMailbox, type Mailbox } from '../../support/factories.ts';
import { someWords } from '../large-mailbox.ts';
import { judge } from './judged.ts';
import { storeAll, storeFor } from './store-files.ts';

const people = 50;
const messages = Number(process.env['DISK_MESSAGES'] ?? 4000);
/** The share of the messages that go to ten people each. */
const wideShare = 0.3;

/** Measures the bytes on the disk for each byte in people's mailboxes, including search indexes. */
export async function measureDisk(app: App): Promise<void> {
  const tenant = await buildCompany(app);
  const mailboxes = await Promise.all(Array.from({ length: people }, () => buildMailbox(app, { tenant })));
  const before = await bytesOf(app);
  let once = 0;
  let delivered = 0;
  const words = someWords();
  await storeAll(
    Array.from({ length: messages }, (_, number) => {
      const raw = letter(number, words);
      const to = Array.from(
        { length: number / messages < wideShare ? 10 : 1 },
        (_one, index) => mailboxes[(number * 7 + index) % people] as Mailbox,
      );
      once += raw.length;
      delivered += raw.length * to.length;
      return () => storeFor(app, to, raw);
    }),
  );
  for (const { user } of mailboxes) await index(app, String(user.id));
  const after = await bytesOf(app);
  const used = Object.entries(after).map(([name, bytes]) => [name, bytes - (before[name] ?? 0)] as const);
  const all = used.reduce((sum, [, bytes]) => sum + bytes, 0);
  const megabytes = (bytes: number) => `${(bytes / 1_048_576).toFixed(1)} MB`;
  const parts = used.map(([name, bytes]) => `${name} ${megabytes(bytes)}`).join(', ');
  print(`${messages} messages, ${megabytes(once)} of mail, ${megabytes(delivered)} in mailboxes: ${parts}`);
  judge('bytes on the disk for a byte in a mailbox', all / delivered, 1.1, '');
  print(`bytes on the disk for a byte of mail, each message counted once: ${(all / once).toFixed(2)}`);
}

/** A typical message: most are short text, some are HTML, and one in ten has a file. */
function letter(number: number, words: Generator<string, never>): Buffer {
  const text = (count: number) =>
    Array.from({ length: count }, (_, at) => `${words.next().value}${at % 10 === 9 ? '\r\n' : ' '}`).join('');
  const head = `From: Ana <ana${number % 40}@bench.test>\r\nSubject: ${text(5).trim()} ${number}\r\nMessage-ID: <disk${number}@bench.test>\r\nMIME-Version: 1.0\r\n`;
  if (number % 10 === 0) {
    const file = randomBytes(120_000)
      .toString('base64')
      .replace(/(.{76})/g, '$1\r\n');
    return Buffer.from(
      `${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\n${text(200)}\r\n--b\r\nContent-Type: application/octet-stream; name=scan.bin\r\nContent-Transfer-Encoding: base64\r\n\r\n${file}\r\n--b--\r\n`,
    );
  }
  if (number % 3 === 0) {
    const rows = Array.from(
      { length: 60 },
      () => `<tr><td style="font:14px sans-serif;color:#333">${text(10)}</td></tr>\r\n`,
    );
    return Buffer.from(
      `${head}Content-Type: text/html\r\n\r\n<html><body><table>${rows.join('')}</table></body></html>\r\n`,
    );
  }
  return Buffer.from(`${head}Content-Type: text/plain\r\n\r\n${text(150 + (number % 400))}\r\n`);
}

async function index(app: App, userId: string): Promise<void> {
  for (;;) {
    const { isCurrent } = await updateIndex(systemContext(app), userId, { deadline: performance.now() + 30_000 });
    if (isCurrent) return;
  }
}

async function bytesOf(app: App): Promise<Record<string, number>> {
  await app.db.query(
    'ANALYZE TABLE messages, mailbox_entries, attachments, message_structures, folder_threads, deliveries',
  );
  const [rows] = (await app.db.query(
    `SELECT SUM(data_length + index_length) AS bytes FROM information_schema.tables WHERE table_schema = DATABASE()`,
  )) as [{ bytes: string }[], unknown];
  return {
    blobs: bytesIn(app.config.blobStore.directory),
    database: Number(rows[0]?.bytes),
    indexes: bytesIn(app.config.searchDirectory),
  };
}

/** The disk space of the files, which the file system allocates in whole blocks. */
function bytesIn(directory: string): number {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).blocks * 512, 0);
}
