/** Measures the cost of the slow sweeps of the workers; see `./ops/bench/blob-sweep`. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { App } from '@selvage/core/context/app';
import { type Ctx, systemContext } from '@selvage/core/context/context';
import { insertRows } from '@selvage/core/database/insert-rows';
import { blobFolders } from '@selvage/core/mailstore/blob-store';
import { checkContents } from '@selvage/core/mailstore/check-contents';
import { compareFolder } from '@selvage/core/mailstore/compare-blobs';
import { removeUnusedMessages } from '@selvage/core/mailstore/unused-messages';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { Message } from '@selvage/core/models/message';
import { print, printError } from '../../ops/print.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { blobPath } from '../support/stored-bytes.ts';
import { withPrivateApp } from './private-app.ts';

const blobs = Number(process.env['BLOBS'] ?? 100_000);
const million = 1_000_000;
const mostSeconds = 600;
const rowsAtOnce = 1000;
const blobBytes = 4096;

/** Writes files and rows as the host would, but does not wait for the disk each time. */
async function fill(app: App): Promise<void> {
  const mailbox = await buildMailbox(app);
  for (let start = 0; start < blobs; start += rowsAtOnce) {
    await fillSome(app, mailbox, { start, end: Math.min(start + rowsAtOnce, blobs) });
  }
  await app.db.query('ANALYZE TABLE messages, mailbox_entries');
}

async function fillSome(app: App, { user }: Mailbox, { start, end }: { start: number; end: number }): Promise<void> {
  const keys = Array.from({ length: end - start }, (_, index) => {
    const bytes = Buffer.alloc(blobBytes, `message ${start + index} `);
    const key = createHash('sha256').update(bytes).digest('hex');
    const path = blobPath(app, key);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    return key;
  });
  const facts = { size: blobBytes, traceHeaders: '', envelopeFrom: '', toList: [], ccList: [], authentication: null };
  const ids = await insertRows(
    { app },
    Message,
    keys.map((key) => ({ ...facts, blobKey: key, mailId: key.slice(0, 32), threadKey: key })),
  );
  const own = { companyId: String(user.companyId), userId: String(user.id), folder: 'inbox' as const, bccList: null };
  await insertRows(
    { app },
    MailboxEntry,
    ids.map((messageId, index) => ({ ...own, messageId, threadKey: keys[index] ?? '', arrivedAt: new Date() })),
  );
}

/** Runs a pass. Returns how many seconds it took. */
async function timed(what: string, pass: () => Promise<number>): Promise<number> {
  const [begin, cpu] = [performance.now(), process.cpuUsage()];
  const count = await pass();
  const seconds = (performance.now() - begin) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const perMillion = (seconds / blobs) * million;
  const used = ((user + system) / 1e6).toFixed(1);
  print(
    `${what}: ${count} in ${seconds.toFixed(1)} s, ${used} s of processor time; a million in ${perMillion.toFixed(0)} s`,
  );
  return seconds;
}

async function overMessages(ctx: Ctx): Promise<number> {
  let steps = 0;
  for (let after: string | null = '0'; after !== null; steps += 1) {
    ({ last: after } = await removeUnusedMessages(ctx, after));
  }
  return steps;
}

async function overFolders(ctx: Ctx): Promise<number> {
  let compared = 0;
  for (const folder of blobFolders) compared += (await compareFolder(ctx, folder, { orphanAgeMs: 0 })).compared;
  return compared;
}

async function overContents(ctx: Ctx): Promise<number> {
  let read = 0;
  for (const folder of blobFolders) read += (await checkContents(ctx, folder)).read;
  return read;
}

let isFine = false;
await withPrivateApp(async (app) => {
  await fill(app);
  const ctx = systemContext(app);
  await timed('steps over the messages', () => overMessages(ctx));
  const seconds = await timed('blobs compared with rows', () => overFolders(ctx));
  await timed('blobs read', () => overContents(ctx));
  isFine = (seconds / blobs) * million <= mostSeconds;
});
if (!isFine) printError(`a million blobs would take the comparison more than ${mostSeconds} s`);
process.exit(isFine ? 0 : 1);
