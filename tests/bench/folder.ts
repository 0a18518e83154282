/** Measures how long the pages of a large mailbox take; see `./ops/bench/folder`. */
import { randomUUID } from 'node:crypto';
import type { App } from '@selvage/core/context/app';
import { systemContext } from '@selvage/core/context/context';
import { changeStatus } from '@selvage/core/mailstore/change-status';
import { changeThreadStatus } from '@selvage/core/mailstore/change-thread-status';
import { blobOf } from '@selvage/core/mailstore/find-entry';
import { listFolder } from '@selvage/core/mailstore/list-folder';
import { listThreads } from '@selvage/core/mailstore/list-threads';
import { readEntry } from '@selvage/core/mailstore/read-entry';
import type { StoreResult } from '@selvage/core/mailstore/store-batch';
import { storeInbound } from '@selvage/core/mailstore/store-message';
import { readTotals } from '@selvage/core/mailstore/totals';
import { print, printError } from '../../ops/print.ts';
import { buildMailbox } from '../support/factories.ts';
import { withPrivateApp } from './private-app.ts';
import { median } from './rounds.ts';

const messages = Number(process.env['MESSAGES'] ?? 1_000_000);
const repeats = 9;
const pageSize = 50;
const mostMs = 50;
/** How many messages one conversation has, as an attacker would make it. */
const longThread = Math.min(50_000, Math.floor(messages / 4));
/** The limit for a page in the middle, for which half of a million index records are skipped. */
const mostOfMiddleMs = 150;

const problems: string[] = [];

async function timed(what: string, look: (round: number) => Promise<unknown>, limitMs = mostMs): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round <= repeats; round += 1) {
    const begin = performance.now();
    await look(round);
    // The first round warms up
    if (round > 0) times.push(performance.now() - begin);
  }
  const middle = median(times);
  print(`${what}: ${middle.toFixed(1)} ms, at most ${Math.max(...times).toFixed(1)} (limit ${limitMs})`);
  if (middle > limitMs) problems.push(`${what} takes more than ${limitMs} ms`);
}

/**
 * Stores one message and repeats its rows, a second apart, every third unread. The newest messages
 * are one long conversation. Each of the others is a conversation of its own.
 */
async function fill(app: App): Promise<Filled> {
  const { user } = await buildMailbox(app);
  const userId = String(user.id);
  const root = `${randomUUID()}@bench.test`;
  const filled = { userId, companyId: String(user.companyId), address: user.email, root };
  const { messageId } = await store(app, filled, 'Message-ID: <ROOT>\r\n');
  const copies = messages - 1;
  await app.db.query(
    `INSERT INTO messages (mail_id, blob_key, size, trace_headers, thread_key, envelope_from, from_address, subject, preview,
                           to_list, cc_list, created_at, updated_at)
     SELECT CONCAT('bench', seq), blob_key, size, trace_headers, IF(seq <= ${longThread}, thread_key, CONVERT(SHA2(seq, 256) USING ascii)), envelope_from, from_address, subject, preview,
            to_list, cc_list, created_at, updated_at
       FROM messages JOIN seq_1_to_${copies} WHERE id = ${messageId}`,
  );
  await app.db.query(
    `INSERT INTO mailbox_entries (company_id, user_id, message_id, folder, folder_id, uid, read_status, received_status,
                                  thread_key, arrived_at, created_at, updated_at)
     SELECT ${user.companyId}, ${userId}, m.id, 'inbox', f.id, m.id - ${messageId} + 1, m.id % 3 > 0, 1, m.thread_key,
            NOW(3) - INTERVAL m.id SECOND, NOW(3), NOW(3)
       FROM messages m JOIN folders f ON f.user_id = ${userId} AND f.role = 'inbox' WHERE m.id <> ${messageId}`,
  );
  await app.db.query(
    `UPDATE folders SET total = ${messages}, unread = (SELECT COUNT(*) FROM mailbox_entries WHERE NOT read_status),
            uid_next = (SELECT MAX(uid) + 1 FROM mailbox_entries) WHERE user_id = ${userId} AND role = 'inbox'`,
  );
  await app.db.query(
    `INSERT INTO folder_threads (folder_id, thread_key, newest_id, newest_at, total, unread, starred)
     SELECT folder_id, thread_key, MIN(id), MAX(arrived_at), COUNT(*), SUM(read_status = 0), 0
       FROM mailbox_entries WHERE user_id = ${userId} GROUP BY folder_id, thread_key
     ON DUPLICATE KEY UPDATE newest_id = VALUES(newest_id), newest_at = VALUES(newest_at), total = VALUES(total),
                             unread = VALUES(unread)`,
  );
  await app.db.query(
    `UPDATE folders f SET threads = (SELECT COUNT(*) FROM folder_threads t WHERE t.folder_id = f.id)
      WHERE user_id = ${userId}`,
  );
  await app.db.query('ANALYZE TABLE messages, mailbox_entries, folder_threads');
  return filled;
}

interface Filled {
  userId: string;
  companyId: string;
  address: string;
  /** The Message-ID of the first message of the long conversation. */
  root: string;
}

function store(app: App, { userId, companyId, address, root }: Filled, headers: string): Promise<StoreResult> {
  const text = `From: a@bench.test\r\nTo: ${address}\r\nSubject: hello\r\n${headers}\r\n${'text '.repeat(800)}\r\n`;
  return storeInbound(systemContext(app), {
    raw: Buffer.from(text.replaceAll('ROOT', root)),
    envelopeFrom: 'a@bench.test',
    recipients: [{ userId, companyId, address }],
    client: { address: '127.0.0.1', helo: 'bench.test', tls: false },
    authentication: null,
    traceHeaders: '',
    mailId: randomUUID(),
  });
}

/** Measures pages of conversations, and adding, removing and changing messages of a long one. */
async function measureThreads(app: App, filled: Filled): Promise<void> {
  const ctx = systemContext(app);
  const { userId } = filled;
  const page = (number: number) =>
    listThreads(ctx, { userId, filter: 'received_status', page: number, limit: pageSize });
  const last = Math.ceil((await page(1)).total / pageSize);
  await timed('the first page of conversations', () => page(1));
  await timed('page 1,000 of conversations', () => page(1000));
  await timed('the middle page of conversations', () => page(Math.floor(last / 2)), mostOfMiddleMs);
  await timed('the last page of conversations', () => page(last));
  await timed('a message that begins a conversation', () => store(app, filled, `Message-ID: <${randomUUID()}@x>\r\n`));
  const arrived: string[] = [];
  await timed(`a message for a conversation of ${longThread}`, async () => {
    arrived.push(...(await store(app, filled, `Message-ID: <${randomUUID()}@x>\r\nReferences: <ROOT>\r\n`)).entryIds);
  });
  await timed('the newest message leaves it', () =>
    changeStatus(ctx, { userId, entryIds: [arrived.pop() ?? ''], flags: { trashStatus: true } }),
  );
  await timed('opening the newest of it', async () => {
    const { rows } = await page(1);
    const row = rows.find(({ thread }) => thread.total > 1);
    await readEntry(ctx, { userId, entryId: String(row?.entry.id) });
  });
  const { rows } = await page(3);
  const entryIds = rows.map(({ entry }) => String(entry.id));
  await timed(`marking ${pageSize} conversations`, (round) =>
    changeThreadStatus(ctx, { userId, entryIds, flags: { starStatus: round % 2 === 0 } }),
  );
}

async function measure(app: App, userId: string): Promise<void> {
  const ctx = systemContext(app);
  const page = (number: number) => listFolder(ctx, { userId, page: number, limit: pageSize });
  const last = Math.ceil(messages / pageSize);
  await timed('the first page', () => page(1));
  await timed('page 1,000', () => page(1000));
  await timed('the middle page', () => page(Math.floor(last / 2)), mostOfMiddleMs);
  await timed('the last page', () => page(last));
  await timed('the totals', () => readTotals(ctx, userId));
  const { rows } = await page(20);
  await timed('opening a message', async (round) => {
    const { message } = await readEntry(ctx, { userId, entryId: String(rows[round]?.entry.id) });
    await app.content.show(blobOf(message), 'bench');
  });
  const many = await listFolder(ctx, { userId, page: 3, limit: 500 });
  const entryIds = many.rows.map(({ entry }) => String(entry.id));
  await timed('marking 500 messages', (round) =>
    changeStatus(ctx, { userId, entryIds, flags: { readStatus: round % 2 === 0 } }),
  );
}

await withPrivateApp(async (app) => {
  const filled = await fill(app);
  await measure(app, filled.userId);
  await measureThreads(app, filled);
});
for (const problem of problems) printError(problem);
process.exit(problems.length === 0 ? 0 : 1);
