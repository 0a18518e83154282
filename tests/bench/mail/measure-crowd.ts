import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { App } from '@selvage/core/context/app';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { print } from '../../../ops/print.ts';
import { buildCompany, buildMailbox, type Mailbox } from '../../support/factories.ts';
import { SmtpPeer } from '../../support/smtp-peer.ts';
import { until } from '../../support/until.ts';
import { judge, percentile } from './judged.ts';
import { openReader, type Reader } from './reader.ts';
import { storeAll, storeFor } from './store-files.ts';

const people = Number(process.env['PEOPLE'] ?? 200);
const rate = Number(process.env['RATE'] ?? 100);
const seconds = Number(process.env['SECONDS'] ?? 30);
/** Answers in the first seconds are reported separately, since the stack has just started. */
const coldSeconds = 15;
const mailOfEach = 30;
/** The average pause between two actions of one person, in milliseconds. */
const lookMs = 1000;
const connections = 20;

/** Measures a crowd of people who list, open and flag mail while new mail arrives for them. */
export async function measureCrowd(app: App, host: { url: string; smtp: number }): Promise<void> {
  const tenant = await buildCompany(app);
  const mailboxes = await Promise.all(Array.from({ length: people }, () => buildMailbox(app, { tenant })));
  const letter = (subject: string) =>
    Buffer.from(`From: a@bench.test\r\nSubject: ${subject}\r\n\r\n${'wool '.repeat(700)}\r\n`);
  await storeAll(
    mailboxes.flatMap((mailbox) =>
      Array.from({ length: mailOfEach }, (_, n) => () => storeFor(app, [mailbox], letter(`Old ${n}`))),
    ),
  );
  const readers = await Promise.all(mailboxes.map(({ user }) => openReader(app, host.url, String(user.id))));
  const before = await countOf(mailboxes);
  const warmFrom = performance.now() + coldSeconds * 1000;
  const end = warmFrom + seconds * 1000;
  const cold: number[] = [];
  const times: number[] = [];
  const note = (begin: number): void => void (begin < warmFrom ? cold : times).push(performance.now() - begin);
  const [sent] = await Promise.all([
    sendSteadily(host.smtp, mailboxes, end),
    ...readers.map((reader) => liveIn(reader, end, note)),
  ]);
  await until('all of it is stored', async () => (await countOf(mailboxes)) >= before + sent, 30_000);
  const lost = before + sent - (await countOf(mailboxes));
  print(`before, in the first ${coldSeconds} seconds of the host: ${percentile(cold, 0.99).toFixed(1)} ms`);
  judge(`${times.length} answers for ${people} people, 99 of 100`, percentile(times, 0.99), 1000);
  judge(`the slowest of them`, Math.max(...times), 5000);
  judge(
    `messages of ${sent} that were lost or doubled, at ${(sent / (coldSeconds + seconds)).toFixed(0)} a second`,
    Math.abs(lost),
    0,
    '',
  );
}

function countOf(mailboxes: readonly Mailbox[]): Promise<number> {
  return MailboxEntry.count({ where: { userId: mailboxes.map(({ user }) => String(user.id)) } });
}

async function liveIn(reader: Reader, end: number, note: (begin: number) => void): Promise<void> {
  const timed = async <T>(work: Promise<T>): Promise<T> => {
    const begin = performance.now();
    const answer = await work;
    note(begin);
    return answer;
  };
  // Starts people at different moments
  await wait(Math.random() * lookMs);
  for (let round = 0; performance.now() < end; round += 1) {
    const rows = await timed(reader.inbox('page=1&limit=25&grouped=true'));
    await wait(lookMs * (0.5 + Math.random()));
    const { _id = '' } = rows[round % rows.length] ?? {};
    await timed(reader.call('GET', `/mail/get/${_id}`));
    await wait(lookMs * (0.5 + Math.random()));
    await timed(reader.call('PUT', '/mail/status_change', { email_id: [_id], star_status: round % 2 === 0 }));
    await wait(lookMs * (0.5 + Math.random()));
  }
}

/** @returns how many messages were accepted with 250 */
async function sendSteadily(port: number, mailboxes: readonly Mailbox[], end: number): Promise<number> {
  const begin = performance.now();
  let asked = 0;
  let taken = 0;
  const send = async (): Promise<void> => {
    const peer = await SmtpPeer.open(port, { tls: false });
    while (performance.now() < end) {
      // Each message has its time in a steady rate
      const late = performance.now() - (begin + (asked * 1000) / rate);
      if (late < 0) {
        await wait(Math.min(50, -late));
        continue;
      }
      const { user } = mailboxes[asked % mailboxes.length] as Mailbox;
      asked += 1;
      const text = `Message-ID: <${randomUUID()}@x>\r\nSubject: New ${asked}\r\n\r\n${'felt '.repeat(700)}\r\n`;
      const reply = await peer.deliver('a@bench.invalid', [user.email], `From: a@bench.invalid\r\n${text}`);
      if (!reply.startsWith('250')) throw new Error(`a message was answered ${reply}`);
      taken += 1;
    }
    peer.close();
  };
  await Promise.all(Array.from({ length: connections }, send));
  return taken;
}
