import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '@selvage/core/context/app';
import { systemContext } from '@selvage/core/context/context';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { updateIndex } from '@selvage/core/search/update-index';
import { print } from '../../../ops/print.ts';
import { buildMailbox, type Mailbox } from '../../support/factories.ts';
import { problems, timed } from './judged.ts';
import { openReader } from './reader.ts';
import { storeAll, storeFor } from './store-files.ts';

const count = Number(process.env['COUNT'] ?? 100_000);
/** How many times as fast as the other webmail this one should be. */
const wanted = 10;
const limit = 50;
const directory = process.env['RC_DIR'] ?? '/var/tmp/roundcube-dovecot';

/**
 * Measures the other webmail and this one with the same messages, one after the other in the same
 * run.
 */
export async function measureYardstick(app: App, url: string, program: string): Promise<void> {
  execFileSync(program, ['up', String(count)], { stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    const mailbox = await buildMailbox(app);
    await importMaildir(app, mailbox, join(directory, 'mail/user/Maildir/cur'));
    const theirs = mediansOf(execFileSync(program, ['measure'], { encoding: 'utf8' }));
    for (const [name, ms] of await measureOurs(app, url, mailbox)) {
      const other = [...theirs].find(([label]) => label.startsWith(name))?.[1];
      if (other === undefined) throw new Error(`the other webmail did not measure "${name}"`);
      print(`${name}: ${ms.toFixed(1)} ms beside ${other.toFixed(1)}: ${(other / ms).toFixed(1)} times faster`);
      if (other / ms < wanted) problems.push(`${name}: less than ${wanted} times faster`);
    }
  } finally {
    execFileSync(program, ['down'], { stdio: 'ignore' });
  }
}

/** Reads lines such as `list, first page   median 123.4 ms …`. */
function mediansOf(text: string): Map<string, number> {
  print(text.trimEnd());
  return new Map(
    [...text.matchAll(/^(.+?)\s+median\s+([\d.]+) ms/gm)].map(([, label = '', ms]) => [label, Number(ms)]),
  );
}

async function importMaildir(app: App, mailbox: Mailbox, folder: string): Promise<void> {
  // Sorted by name, since a name begins with the time of arrival
  const files = readdirSync(folder).sort();
  await storeAll(files.map((name) => () => storeFor(app, [mailbox], readFileSync(join(folder, name)))));
  const userId = String(mailbox.user.id);
  while (!(await updateIndex(systemContext(app), userId, { deadline: performance.now() + 60_000 })).isCurrent);
}

async function measureOurs(app: App, url: string, mailbox: Mailbox): Promise<Map<string, number>> {
  const reader = await openReader(app, url, String(mailbox.user.id));
  const last = Math.ceil(count / limit);
  const middle = Math.min(1000, Math.ceil(last / 2));
  const page = (number: number) => reader.inbox(`page=${number}&limit=${limit}`);
  const found = await MailboxEntry.findAll({
    where: { userId: reader.userId },
    attributes: ['id'],
    limit: 1000,
    raw: true,
  });
  const opened = found.map(({ id }) => String(id));
  const block = opened.slice(0, 500);
  const search = (q: string) => reader.call('GET', `/mail/search?q=${q}&limit=25`);
  const mostMs = 1000;
  // Both are measured warm, since Node.js compiles code only while it runs
  for (let round = 0; round < 50; round += 1) await page(2);
  return new Map([
    ['list, first page', await timed('list, first page', mostMs, () => page(1))],
    [`list, page ${middle}`, await timed('list, page after page', mostMs, (round) => page(middle + round))],
    ['list, last page', await timed('list, last page', mostMs, () => page(last))],
    [
      'open a message',
      await timed('open a message', mostMs, (round) => reader.call('GET', `/mail/get/${opened[500 + round]}`)),
    ],
    [
      'mark 500 read',
      await timed('mark 500 read', mostMs, (round) =>
        reader.call('PUT', '/mail/status_change', { email_id: block, read_status: round % 2 === 0 }),
      ),
    ],
    ['search, rare word', await timed('search, rare word', mostMs, () => search('quartzite'))],
    ['search, common word', await timed('search, common word', mostMs, () => search('harbour'))],
  ]);
}
