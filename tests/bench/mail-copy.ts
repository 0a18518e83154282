/** Measures the cost of a backup of a large mailbox; see `./ops/bench/mail-copy`. */
import type { App } from '@selvage/core/context/app';
import { systemContext } from '@selvage/core/context/context';
import { workOnCopy } from '@selvage/core/mailstore/copy-mailbox';
import { listCopied } from '@selvage/core/mailstore/list-copied';
import { storeInbound } from '@selvage/core/mailstore/store-message';
import { MailCopy } from '@selvage/core/models/mail-copy';
import { print, printError } from '../../ops/print.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { withPrivateApp } from './private-app.ts';
import { median } from './rounds.ts';

const messages = Number(process.env['MESSAGES'] ?? 100_000);
const mostSeconds = (60 * messages) / 100_000;
const mostSearchMs = 1500;
const mostStoreMs = 500;
/** The lowest speed of storing mail during a backup, in percent of its speed without one. */
const leastShare = 80;
/** How long to measure the speed without a backup, in milliseconds. */
const aloneMs = 15_000;
const problems: string[] = [];

function judge(what: string, value: number, limit: number, unit: string): void {
  print(`${what}: ${value.toFixed(1)} ${unit} (limit ${limit})`);
  if (value > limit) problems.push(`${what} takes more than ${limit} ${unit}`);
}

async function store(app: App, { user }: Mailbox): Promise<string> {
  const text = `From: a@bench.test\r\nTo: ${user.email}\r\nSubject: hello\r\n\r\n${'text '.repeat(800)}\r\n`;
  const { messageId } = await storeInbound(systemContext(app), {
    raw: Buffer.from(text),
    envelopeFrom: 'a@bench.test',
    recipients: [{ userId: String(user.id), companyId: String(user.companyId), address: user.email }],
    client: { address: '192.0.2.1', helo: 'bench.test', tls: false },
    authentication: null,
    traceHeaders: '',
    mailId: `bench-${performance.now()}`,
  });
  return messageId;
}

/** Stores one message and repeats its rows in the inbox. */
async function fill(app: App, owner: Mailbox): Promise<void> {
  const { id, companyId } = owner.user;
  const first = await store(app, owner);
  await app.db.query(
    `INSERT INTO messages (mail_id, blob_key, size, trace_headers, thread_key, envelope_from, from_address, subject, preview,
                           to_list, cc_list, created_at, updated_at)
     SELECT CONCAT('copy', seq), blob_key, size, trace_headers, thread_key, envelope_from, from_address, CONCAT(subject, ' ', seq),
            preview, to_list, cc_list, created_at, updated_at FROM messages JOIN seq_1_to_${messages - 1} WHERE id = ${first}`,
  );
  await app.db.query(
    `INSERT INTO mailbox_entries (company_id, user_id, message_id, folder, folder_id, uid, read_status, received_status,
                                  thread_key, arrived_at, created_at, updated_at)
     SELECT ${companyId}, ${id}, m.id, 'inbox', f.id, m.id + 10, m.id % 3 > 0, 1, m.thread_key,
            NOW(3) - INTERVAL m.id SECOND, NOW(3), NOW(3)
       FROM messages m JOIN folders f ON f.user_id = ${id} AND f.role = 'inbox' WHERE m.id <> ${first}`,
  );
  await app.db.query('ANALYZE TABLE messages, mailbox_entries');
}

/** Stores messages one after the other until `isDone`. Returns how long each took. */
async function storeMeanwhile(app: App, person: Mailbox, isDone: () => boolean): Promise<number[]> {
  const times: number[] = [];
  while (!isDone()) {
    const begin = performance.now();
    await store(app, person);
    times.push(performance.now() - begin);
  }
  return times;
}

const rateOf = (times: readonly number[]): number => (1000 * times.length) / times.reduce((sum, time) => sum + time, 0);

await withPrivateApp(async (app) => {
  const owner = await buildMailbox(app);
  const viewer = await buildMailbox(app, { tenant: owner });
  await fill(app, owner);
  const copy = await MailCopy.create({
    companyId: String(owner.company.id),
    ownerId: String(owner.user.id),
    ownerEmail: owner.user.email,
    ownerName: 'O',
    viewerId: String(viewer.user.id),
    viewerEmail: viewer.user.email,
    viewerName: 'V',
    giverName: 'A',
    state: 'copying',
    cursors: {},
  });
  const person = await buildMailbox(app);
  // Work that is done only once must not count towards either speed
  for (let count = 0; count < 20; count += 1) await store(app, person);
  const alone = performance.now() + aloneMs;
  const before = rateOf(await storeMeanwhile(app, person, () => performance.now() > alone));
  const begin = performance.now();
  let isDone = false;
  const stored = storeMeanwhile(app, person, () => isDone);
  await workOnCopy(systemContext(app), String(copy.id));
  isDone = true;
  judge(`copying ${messages} messages`, (performance.now() - begin) / 1000, mostSeconds, 's');
  judge('storing a message meanwhile, median', median(await stored), mostStoreMs, 'ms');
  judge('storing a message meanwhile, longest', Math.max(...(await stored)), 4 * mostStoreMs, 'ms');
  const share = (rateOf(await stored) / before) * 100;
  print(
    `messages stored in a second: ${before.toFixed(1)} before, ${share.toFixed(0)} % of it meanwhile (least ${leastShare})`,
  );
  if (share < leastShare) problems.push(`less than ${leastShare} % of the messages were stored meanwhile`);
  await copy.reload();
  if (copy.receivedCount !== messages) problems.push(`${copy.receivedCount} of ${messages} messages were copied`);
  const page = { viewerId: String(viewer.user.id), copy, isSent: false, limit: 50 };
  for (const [what, request] of [
    ['the first page', { page: 1 }],
    ['a page in the middle', { page: messages / 100 }],
    ['a search without a hit', { page: 1, search: 'nothing at all' }],
    ['a search that finds all', { page: 1, search: 'hello' }],
  ] as const) {
    const start = performance.now();
    await listCopied(systemContext(app), { ...page, ...request });
    judge(what, performance.now() - start, mostSearchMs, 'ms');
  }
  const again = performance.now();
  await copy.update({ state: 'copying' });
  await workOnCopy(systemContext(app), String(copy.id));
  print(`giving it again: ${(performance.now() - again).toFixed(0)} ms`);
  const removal = performance.now();
  await copy.update({ state: 'removing', deletedAt: new Date() });
  await workOnCopy(systemContext(app), String(copy.id));
  judge('deleting it', (performance.now() - removal) / 1000, mostSeconds, 's');
  for (const problem of problems) printError(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
});
