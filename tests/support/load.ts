import { setTimeout } from 'node:timers/promises';
import { Delivery } from '@selvage/core/models/delivery';
import { leaseMs } from '@selvage/core/outbound/deliveries';
import { Op, QueryTypes } from 'sequelize';
import { expect } from 'vitest';
import { ApiClient } from './api-client.ts';
import { buildMailbox, type Mailbox, type Tenant } from './factories.ts';
import { plainMessage, SmtpPeer } from './smtp-peer.ts';
import type { TestHost } from './test-host.ts';
import { until } from './until.ts';

/** A host under load: who receives and sends, and how the web app sends. */
interface Scene {
  host: TestHost;
  person: Mailbox;
  client: ApiClient;
}

interface Load {
  /** Subjects of the messages that were answered with success. */
  accepted: string[];
  stop(): Promise<string[]>;
}

type Door = 'inbound' | 'web' | 'submission';
const doors: Door[] = ['inbound', 'web', 'submission'];
const enough = 5;
const pauseMs = 60;

/**
 * Pours mail into all three doors, lets something bad happen in the middle, goes on, and then looks for every message that was
 * answered with success: it is there, once.
 *
 * `mayRepeat`: a remote server may get a message twice when the worker dies between the server's 250 and our own commit;
 * nobody can rule that out, and the receiver knows the repeat by its Message-ID.
 */
export async function survive(
  { host, tenant }: { host: TestHost; tenant: Tenant },
  name: string,
  disaster: () => Promise<void>,
  options: { mayRepeat?: boolean } = {},
): Promise<void> {
  // somebody new each time: nobody may write to so many people in an hour
  const person = await buildMailbox(host.app, { tenant });
  const client = new ApiClient(host);
  await client.signIn(person.user.email, person.password);
  const scene = { host, person, client };
  const loads = doors.map((door) => pour(`${name} ${door}`, (subject) => offer(scene, door, subject)));
  await until('load flows', () => loads.every(({ accepted }) => accepted.length > enough), 60_000);
  await disaster();
  const before = loads.map(({ accepted }) => accepted.length);
  const flowsAgain = () => loads.every(({ accepted }, index) => accepted.length > (before[index] ?? 0) + enough);
  await until('load flows again', flowsAgain, 60_000);
  const [arrived = [], ...sent] = await Promise.all(loads.map((load) => load.stop()));
  await expectOnce(scene, 'received_status', name, arrived);
  await expectOnce(scene, 'send_status', name, sent.flat());
  await expectRelayed(scene, name, sent.flat(), options.mayRepeat === true);
}

/** Offers one message after the other in two lanes until told to stop. */
function pour(name: string, offerOne: (subject: string) => Promise<boolean>): Load {
  const accepted: string[] = [];
  let isOver = false;
  const run = async (lane: number): Promise<void> => {
    for (let number = 0; !isOver; number++) {
      const subject = `${name} ${lane}-${number}`;
      // whatever goes wrong: without an answer it does not count
      const isAccepted = await offerOne(subject).catch(() => false);
      if (isAccepted) accepted.push(subject);
      // a pace that leaves the machine some air, also while connections are refused at once
      await setTimeout(pauseMs);
    }
  };
  const lanes = [run(1), run(2)];
  return {
    accepted,
    stop: async () => {
      isOver = true;
      await Promise.all(lanes);
      return accepted;
    },
  };
}

async function offer({ host, person, client }: Scene, door: Door, subject: string): Promise<boolean> {
  const own = person.user.email;
  if (door === 'web') {
    const form = new FormData();
    form.append('recipient_emails_to[]', 'load@remote.test');
    form.append('subject', subject);
    form.append('body', '<p>x</p>');
    return (await client.call('POST', '/mail/send', form)).status === 200;
  }
  const isInbound = door === 'inbound';
  const peer = await SmtpPeer.open(isInbound ? host.ports.smtp : host.ports.submissions, { tls: !isInbound });
  try {
    if (!isInbound) {
      await allowSignIn(host);
      await peer.signIn(own, person.password);
    }
    const [from, to] = isInbound ? ['load@remote.test', own] : [own, 'load@remote.test'];
    return (await peer.deliver(from, to, plainMessage({ from, to, subject }))).startsWith('250');
  } finally {
    peer.close();
  }
}

/** Each message signs in anew, more often than one address may: what is poured in here is not there to find that limit. */
async function allowSignIn({ app }: TestHost): Promise<void> {
  // while Redis is away nothing is counted
  await app.redis.del('rate:submission-address:127.0.0.1').catch(() => 0);
}

async function expectOnce({ host, person }: Scene, flag: string, name: string, accepted: string[]): Promise<void> {
  const rows = await host.app.db.query<{ subject: string }>(
    `SELECT m.subject FROM mailbox_entries e JOIN messages m ON m.id = e.message_id
      WHERE e.user_id = :userId AND e.${flag} AND m.subject LIKE :name`,
    { replacements: { userId: String(person.user.id), name: `${name} %` }, type: QueryTypes.SELECT },
  );
  const stored = rows.map(({ subject }) => subject);
  expect(accepted.filter((subject) => !stored.includes(subject))).toEqual([]);
  expect(stored.filter((subject, index) => stored.indexOf(subject) !== index)).toEqual([]);
}

/** Stands for the half minute after which others take up what a dead worker had in hand; a live one is done much sooner. */
async function endDeadLeases(): Promise<void> {
  const takenLongAgo = new Date(Date.now() + leaseMs - 8000);
  await Delivery.update(
    { leaseUntil: new Date() },
    { where: { state: 'queued', leaseUntil: { [Op.lt]: takenLongAgo } } },
  );
}

async function expectRelayed({ host }: Scene, name: string, sent: string[], mayRepeat: boolean): Promise<void> {
  const subjects = () =>
    host.remote.received.flatMap(({ raw }) => /^Subject: (.*)\r$/m.exec(raw.toString())?.[1] ?? []);
  await until(
    'nothing waits any more',
    async () => {
      await endDeadLeases();
      const open = await Delivery.count({ where: { direction: 'out', state: ['held', 'queued'] } });
      return open === 0;
    },
    60_000,
  );
  expect(sent.filter((subject) => !subjects().includes(subject))).toEqual([]);
  const own = subjects().filter((subject) => subject.startsWith(`${name} `));
  if (!mayRepeat) expect(own.filter((subject, index) => own.indexOf(subject) !== index)).toEqual([]);
}
