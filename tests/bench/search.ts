/** Measures how long a search of a large mailbox takes; see `./ops/bench/search`. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '@selvage/core/context/app';
import { systemContext } from '@selvage/core/context/context';
import { searchMailbox } from '@selvage/core/search/search-mailbox';
import { SearchThreads } from '@selvage/core/search/search-threads';
import { updateIndex } from '@selvage/core/search/update-index';
import { print, printError } from '../../ops/print.ts';
import { buildMailbox } from '../support/factories.ts';
import { fillLargeMailbox } from './large-mailbox.ts';
import { withPrivateApp } from './private-app.ts';
import { median } from './rounds.ts';

const messages = Number(process.env['MESSAGES'] ?? 1_000_000);
const repeats = 9;
const mostMs = 150;
const problems: string[] = [];

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

/** The host without the limits of a person's searches, who asks less often. */
function withoutLimits(app: App): App {
  const always = { share: 1, aheadMs: Number.POSITIVE_INFINITY };
  const { searchDirectory: directory, searchThreads: threads } = app.config;
  return { ...app, search: new SearchThreads({ directory, threads, ofPerson: always, ofCompany: always }) };
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

await withPrivateApp(async (host) => {
  const app = withoutLimits(host);
  const mailbox = await buildMailbox(app);
  const userId = String(mailbox.user.id);
  await fillLargeMailbox(app, mailbox, messages);
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
  await app.search.close();
});
for (const problem of problems) printError(problem);
process.exit(problems.length === 0 ? 0 : 1);
