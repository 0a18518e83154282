import type { App } from '@selvage/core/context/app';
import type { Mailbox } from '../../support/factories.ts';
import { commonWord, rareWord } from '../large-mailbox.ts';
import { timed } from './judged.ts';
import { openReader, type Reader } from './reader.ts';
import { storeFor } from './store-files.ts';

const limit = 50;
const openedAtOnce = 20;

/** Measures lists, opening, marking and searching in a large inbox, by the API. */
export async function measurePages(app: App, url: string, mailbox: Mailbox, messages: number): Promise<void> {
  const reader = await openReader(app, url, String(mailbox.user.id));
  const last = Math.ceil(messages / limit);
  for (const grouped of [false, true]) {
    const page = (number: number) => reader.inbox(`page=${number}&limit=${limit}${grouped ? '&grouped=true' : ''}`);
    const what = grouped ? 'of conversations' : 'of messages';
    await timed(`the first page ${what}`, 50, () => page(1));
    await timed(`page ${Math.min(1000, last)} ${what}`, 50, () => page(Math.min(1000, last)));
    await timed(`the last page ${what}`, 50, () => page(last));
  }
  await timed('marking 500 messages', 100, await marking(reader));
  const search = (q: string) => reader.call('GET', `/mail/search?q=${encodeURIComponent(q)}&limit=25`);
  await timed('a word in 20 messages', 150, () => search(rareWord));
  await timed('a word in a fifth of the messages', 150, () => search(commonWord));
  const letters = await storeLetters(app, mailbox, reader);
  await timed('opening a message of 50 KB HTML', 50, (round) => reader.call('GET', `/mail/get/${letters[round]}`));
}

async function marking(reader: Reader): Promise<(round: number) => Promise<unknown>> {
  const ids: string[] = [];
  for (let page = 1; ids.length < 500; page += 1) {
    ids.push(...(await reader.inbox(`page=${page}&limit=100`)).map(({ _id }) => _id));
  }
  return (round) => reader.call('PUT', '/mail/status_change', { email_id: ids, read_status: round % 2 === 0 });
}

/** Stores messages of 50 KB of HTML. Each is opened only once, since shown texts are cached. */
async function storeLetters(app: App, mailbox: Mailbox, reader: Reader): Promise<string[]> {
  for (let number = 0; number < openedAtOnce; number += 1) {
    const row = `<tr><td style="color:#333">Row ${number}</td><td><a href="https://shop.test/${number}">Buy</a></td></tr>`;
    const html = `<html><body><table>${row.repeat(Math.ceil(50_000 / row.length))}</table></body></html>`;
    const header = `From: a@bench.test\r\nTo: ${mailbox.user.email}\r\nSubject: Letter ${number}\r\nContent-Type: text/html\r\n`;
    await storeFor(app, [mailbox], Buffer.from(`${header}\r\n${html.replaceAll('</tr>', '</tr>\r\n')}\r\n`));
  }
  return (await reader.inbox(`page=1&limit=${openedAtOnce}`)).map(({ _id }) => _id);
}
