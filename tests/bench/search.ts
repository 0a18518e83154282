/** `./ops/bench/search`: what a question over a large mailbox costs; see there. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '@selvage/core/context/app';
import { systemContext } from '@selvage/core/context/context';
import { storeInbound } from '@selvage/core/mailstore/store-message';
import { searchMailbox } from '@selvage/core/search/search-mailbox';
import { updateIndex } from '@selvage/core/search/update-index';
import { print, printError } from '../../ops/print.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { withPrivateApp } from './private-app.ts';
import { median } from './rounds.ts';

const messages = Number(process.env['MESSAGES'] ?? 1_000_000);
/** Different texts, each in as many messages. */
const texts = Math.min(1000, messages);
const wordsOfText = 250;
const repeats = 9;
const mostMs = 150;
const problems: string[] = [];

/** The same words in each run: common ones come often, as in a language. */
function* someWords(): Generator<string, never> {
  for (let seed = 1; ; seed = (seed * 48_271) % 2_147_483_647) {
    const rank = Math.floor(20_000 ** ((seed % 100_000) / 100_000));
    yield `w${(rank * 7919) % 20_011}${rank % 3 === 0 ? 'en' : 'er'}`;
  }
}

async function fill(app: App): Promise<Mailbox> {
  const mailbox = await buildMailbox(app);
  const { user } = mailbox;
  const userId = String(user.id);
  const words = someWords();
  const stored: string[] = [];
  for (let number = 0; number < texts; number += 1) {
    const text = Array.from({ length: wordsOfText }, () => words.next().value);
    // One text in five has this word
    if (number % 5 === 0) text.push('everywhere');
    const { messageId } = await storeInbound(systemContext(app), {
      raw: Buffer.from(
        `From: Ana ${number} <ana${number}@bench.test>\r\nTo: ${user.email}\r\nSubject: ${text.slice(0, 6).join(' ')}\r\n` +
          `Message-ID: <${number}@bench.test>\r\n\r\n${text.join(' ').replace(/(.{70}\S*) /g, '$1\r\n')}\r\n`,
      ),
      envelopeFrom: 'a@bench.test',
      recipients: [{ userId, companyId: user.companyId, address: user.email }],
      client: { address: '127.0.0.1', helo: 'bench.test', tls: false },
      authentication: null,
      traceHeaders: '',
      mailId: `bench${number}`,
    });
    stored.push(messageId);
  }
  await copyRows(app, { userId, companyId: String(user.companyId), first: stored[0] ?? '0' });
  return mailbox;
}

/** Repeats the messages with a word of their own in the subject of every fifty-thousandth. */
async function copyRows(app: App, { userId, companyId, first }: Record<'userId' | 'companyId' | 'first', string>) {
  const rounds = Math.ceil(messages / texts) - 1;
  const rare = Math.ceil(messages / 20);
  await app.db.query(
    `INSERT INTO messages (mail_id, blob_key, size, trace_headers, thread_key, envelope_from, from_address, from_name, subject,
                           preview, to_list, cc_list, created_at, updated_at)
     SELECT CONCAT('copy', m.id, '.', seq), blob_key, size, trace_headers, SHA2(CONCAT(m.id, seq), 256), envelope_from, from_address,
            from_name, IF((m.id * 31 + seq * ${texts}) % ${rare} = 0, CONCAT(subject, ' seldom'), subject), preview, to_list, cc_list, created_at, updated_at
       FROM messages m JOIN seq_1_to_${Math.max(1, rounds)} WHERE m.id >= ${first}`,
  );
  await app.db.query(
    `INSERT INTO mailbox_entries (company_id, user_id, message_id, folder, folder_id, uid, read_status, received_status,
                                  thread_key, arrived_at, created_at, updated_at)
     SELECT ${companyId}, ${userId}, m.id, 'inbox', f.id, m.id + 1000000, m.id % 3 > 0, 1, m.thread_key,
            NOW(3) - INTERVAL m.id * 40 SECOND, NOW(3), NOW(3)
       FROM messages m JOIN folders f ON f.user_id = ${userId} AND f.role = 'inbox' WHERE m.mail_id LIKE 'copy%'`,
  );
  await app.db.query(
    `UPDATE folders SET total = (SELECT COUNT(*) FROM mailbox_entries),
            uid_next = (SELECT MAX(uid) + 1 FROM mailbox_entries) WHERE user_id = ${userId} AND role = 'inbox'`,
  );
  await app.db.query('ANALYZE TABLE messages, mailbox_entries');
}

async function build(app: App, userId: string): Promise<void> {
  const begin = performance.now();
  const cpu = process.cpuUsage();
  for (;;) {
    const { isCurrent, state } = await updateIndex(systemContext(app), userId, {
      deadline: performance.now() + 30_000,
    });
    if (isCurrent) break;
    print(`  ${state.entries} messages after ${Math.round((performance.now() - begin) / 1000)} s`);
  }
  const seconds = (performance.now() - begin) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const perMessage = (user + system) / 1000 / messages;
  print(`building: ${seconds.toFixed(0)} s, ${perMessage.toFixed(2)} ms of processor time a message`);
  const [{ raw = 0 } = {}] = (await app.db.query('SELECT SUM(size) AS raw FROM messages'))[0] as { raw: string }[];
  const bytes = bytesIn(app.config.searchDirectory);
  print(`the index: ${(bytes / 1_048_576).toFixed(0)} MB, ${(bytes / Number(raw)).toFixed(2)} of the raw mail`);
}

function bytesIn(directory: string): number {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

async function timed(app: App, userId: string, text: string, page = 1): Promise<void> {
  const ctx = systemContext(app);
  const times: number[] = [];
  let hits = '';
  for (let round = 0; round <= repeats; round += 1) {
    const begin = performance.now();
    const { rows, total, isMore } = await searchMailbox(ctx, { userId, text, page, limit: 25 });
    if (round > 0) times.push(performance.now() - begin);
    hits = `${rows.length} of ${total}${isMore ? ' and more' : ''}`;
  }
  const middle = median(times);
  print(`${text}: ${hits}, ${middle.toFixed(1)} ms, at most ${Math.max(...times).toFixed(1)} (limit ${mostMs})`);
  if (middle > mostMs) problems.push(`${text} takes more than ${mostMs} ms`);
}

await withPrivateApp(async (app) => {
  const { user } = await fill(app);
  const userId = String(user.id);
  await build(app, userId);
  await timed(app, userId, 'seldom');
  await timed(app, userId, 'everywhere');
  await timed(app, userId, 'everywhere', 40);
  await timed(app, userId, '"everywhere"');
  await timed(app, userId, 'everywhere w7919');
  await timed(app, userId, 'everywhere is:unread');
  await timed(app, userId, 'everywhere is:starred');
  await timed(app, userId, 'everywhere before:2026');
  await timed(app, userId, 'from:ana7@bench.test');
  await timed(app, userId, 'w12');
  await timed(app, userId, '-everywhere');
  await timed(app, userId, 'has:attachment');
  await timed(app, userId, 'w1 w2 w3 w4 w5 w6 w7 w8 w9 w11 w12 w13');
  await timed(app, userId, 'nowhere');
});
for (const problem of problems) printError(problem);
process.exit(problems.length === 0 ? 0 : 1);
