import { setTimeout } from 'node:timers/promises';
import { Delivery } from '@selvage/core/models/delivery';
import { leaseMs } from '@selvage/core/outbound/deliveries';
import { Op, QueryTypes } from 'sequelize';
import { expect } from 'vitest';
import { ApiClient } from './api-client.ts';
import { buildMailbox, type Mailbox, type Tenant } from './factories.ts';
import { plainMessage, SmtpPeer } from './smtp-peer.ts';
import type { ReachableHost } from './test-host.ts';
import { until } from './until.ts';

/**
 * A host under load, a person on it who sends and receives, and a client that sends from the web
 * app.
 */
interface Scene {
  host: ReachableHost;
  person: Mailbox;
  client: ApiClient;
}

interface Load {
  /** Subjects of the messages that the host accepted. */
  accepted: string[];
  /** The last failure of a message that was not accepted, for the report of a failed test. */
  latestRefusal(): string;
  stop(): Promise<string[]>;
}

type Door = 'inbound' | 'web' | 'submission';
const doors: Door[] = ['inbound', 'web', 'submission'];
const enough = 5;
/**
 * Pause after each message. At this pace six lanes offer about 30 messages a second. More would
 * take processor time from the processes that start after the disaster. `probeDoors` connects more
 * often, and so finds shorter gaps.
 */
const pauseMs = 150;

/**
 * Sends mail through all three doors, causes a disaster in the middle, and goes on sending. Then it
 * checks that every accepted message arrived once.
 * @param options `mayRepeat`: allows a remote server to get a message twice when the worker dies
 * between the server's 250 and the host's commit. That can't be ruled out, and the receiver
 * recognises the repetition by its Message-ID.
 * @returns how many milliseconds after the disaster each door had accepted several messages again
 */
export async function survive(
  { host, tenant }: { host: ReachableHost; tenant: Tenant },
  name: string,
  disaster: () => Promise<void>,
  options: { mayRepeat?: boolean } = {},
): Promise<number> {
  const person = await buildMailbox(host.app, { tenant });
  // The load has more recipients than one person may have in an hour, so this sender's count starts
  // far below zero
  await host.app.redis.set(`rate:send:${person.user.id}`, -1_000_000, 'EX', 86_400);
  const client = new ApiClient(host);
  await client.signIn(person.user.email, person.password);
  const scene = { host, person, client };
  const loads = doors.map((door) => pour(`${name} ${door}`, (subject) => offer(scene, door, subject)));
  await untilFlows('load flows', loads);
  await disaster();
  const end = Date.now();
  await untilFlows('load flows again', loads);
  const recoveryMs = Date.now() - end;
  const [arrived = [], ...sent] = await Promise.all(loads.map((load) => load.stop()));
  await expectOnce(scene, 'received_status', name, arrived);
  await expectOnce(scene, 'send_status', name, sent.flat());
  await expectRelayed(scene, name, sent.flat(), options.mayRepeat === true);
  return recoveryMs;
}

/** Waits until each door has accepted several more messages. */
async function untilFlows(what: string, loads: Load[]): Promise<void> {
  const before = loads.map(({ accepted }) => accepted.length);
  const taken = () => loads.map(({ accepted }, index) => accepted.length - (before[index] ?? 0));
  const state = () => taken().map((count, index) => `${doors[index]} took ${count}, ${loads[index]?.latestRefusal()}`);
  await until(
    () => `${what}; ${state().join('; ')}`,
    () => taken().every((count) => count > enough),
    120_000,
  );
}

/**
 * Offers messages one after the other in two lanes until it is stopped. `offerOne` throws when its
 * message is not accepted.
 */
function pour(name: string, offerOne: (subject: string) => Promise<void>): Load {
  const accepted: string[] = [];
  let refusal = 'refused none';
  let isOver = false;
  const run = async (lane: number): Promise<void> => {
    for (let number = 0; !isOver; number++) {
      const subject = `${name} ${lane}-${number}`;
      try {
        await offerOne(subject);
        accepted.push(subject);
      } catch (error) {
        // A message without a reply of success is not counted, whatever failed
        refusal = `at ${new Date().toISOString()} ${String(error)}`;
      }
      // The pause leaves the machine processor time, also while connections are refused at once
      await setTimeout(pauseMs);
    }
  };
  const lanes = [run(1), run(2)];
  return {
    accepted,
    latestRefusal: () => refusal,
    stop: async () => {
      isOver = true;
      await Promise.all(lanes);
      return accepted;
    },
  };
}

/** Offers one message by one door. @throws {Error} when it is not accepted */
async function offer(scene: Scene, door: Door, subject: string): Promise<void> {
  const reply = door === 'web' ? await offerWeb(scene, subject) : await offerSmtp(scene, door, subject);
  if (!/^2\d\d/.test(reply)) throw new Error(`answered ${reply}`);
}

async function offerWeb({ client }: Scene, subject: string): Promise<string> {
  const form = new FormData();
  form.append('recipient_emails_to[]', 'load@remote.test');
  form.append('subject', subject);
  form.append('body', '<p>x</p>');
  return String((await client.call('POST', '/mail/send', form)).status);
}

async function offerSmtp({ host, person }: Scene, door: 'inbound' | 'submission', subject: string): Promise<string> {
  const own = person.user.email;
  const isInbound = door === 'inbound';
  const peer = await SmtpPeer.open(isInbound ? host.ports.smtp : host.ports.submissions, { tls: !isInbound });
  try {
    const welcome = isInbound ? '235' : await peer.signIn(own, person.password);
    if (!welcome.startsWith('235')) return welcome;
    const [from, to] = isInbound ? ['load@remote.test', own] : [own, 'load@remote.test'];
    return await peer.deliver(from, to, plainMessage({ from, to, subject }));
  } finally {
    peer.close();
  }
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

/**
 * Ends the leases of dead workers, so that the test need not wait the half minute after which other
 * workers take over. A living worker renews its leases after a third of that time at the latest, so
 * its leases do not match.
 */
async function endDeadLeases(): Promise<void> {
  const takenLongAgo = new Date(Date.now() + leaseMs / 2);
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
    120_000,
  );
  expect(sent.filter((subject) => !subjects().includes(subject))).toEqual([]);
  const own = subjects().filter((subject) => subject.startsWith(`${name} `));
  if (!mayRepeat) expect(own.filter((subject, index) => own.indexOf(subject) !== index)).toEqual([]);
}
