import { setTimeout } from 'node:timers/promises';
import { Delivery } from '@selvage/core/models/delivery';
import { Op } from 'sequelize';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.ts';
import { bombs } from '../support/bombs.ts';
import { boundFor, type HeldLoop, readHeldLoop } from '../support/event-loop.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { plainMessage, SmtpPeer } from '../support/smtp-peer.ts';
import { startTestHost, type TestHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

/*
 * Messages that an attacker built to hold the host up, sent by both real doors beside honest ones,
 * delivered and indexed by the real workers, and opened by the real API.
 */

let host: TestHost;
let ana: Mailbox;
let client: ApiClient;
const programs = ['inbound', 'submission', 'workers', 'api'] as const;
const before = new Map<string, HeldLoop>();
const honest: { replies: string[]; stop: () => Promise<void> } = { replies: [], stop: async () => undefined };

beforeAll(async () => {
  host = await startTestHost({ SMTP_CONNECTIONS_PER_ADDRESS: '100' });
  ana = await buildMailbox(host.app);
  client = new ApiClient(host);
  await client.signIn(ana.user.email, ana.password);
  await warmUp();
  for (const name of programs) before.set(name, await readHeldLoop(host.health[name]));
  pourHonestMail();
});

afterAll(() => honest.stop());

const from = 'foreign@remote.test';

async function offer(message: string | Buffer): Promise<string> {
  const peer = await SmtpPeer.open(host.ports.smtp);
  try {
    return await peer.deliver(from, ana.user.email, message);
  } finally {
    peer.close();
  }
}

const away = 'ben@remote.test';

/** Hands a message to the submission door, as a mail program that an attacker has taken over. */
async function submit(message: Buffer): Promise<string> {
  const own = ana.user.email;
  const peer = await SmtpPeer.open(host.ports.submissions, { tls: true });
  try {
    const login = Buffer.from(`\0${own}\0${ana.password}`).toString('base64');
    expect(await peer.command(`AUTH PLAIN ${login}`)).toMatch(/^235 /);
    const text = message.toString('latin1').replace('Bomb <bomb@remote.test>', own);
    return await peer.deliver(own, [own, away], Buffer.from(text, 'latin1'));
  } finally {
    peer.close();
  }
}

/**
 * What runs for the first time is compiled, and five seconds after its start a process collects its
 * garbage.
 */
async function warmUp(): Promise<void> {
  for (let round = 0; round < 20; round++) {
    await offer(plainMessage({ from, to: ana.user.email, subject: `warm ${round}` }));
  }
  const own = ana.user.email;
  expect(await submit(Buffer.from(plainMessage({ from: own, to: away, subject: 'warm' })))).toMatch(/^250 /);
  await nothingWaits();
  const [row] = await client.folder();
  await client.email(row?._id ?? '');
  const uptime = async (health: string) =>
    Number(
      /process_start_time_seconds (\d+)/.exec(await (await fetch(health.replace(/\/health$/, '/metrics'))).text())?.[1],
    );
  for (const name of programs) {
    const health = host.health[name];
    await until('the end of the start', async () => Date.now() / 1000 - (await uptime(health)) > 8);
  }
}

async function nothingWaits(): Promise<void> {
  const where = { companyId: String(ana.company.id), state: ['held', 'queued'] };
  await until('everything has left', async () => (await Delivery.count({ where })) === 0, 120_000);
}

function pourHonestMail(): void {
  let isOver = false;
  const stream = (async () => {
    for (let number = 0; !isOver; number++) {
      honest.replies.push(await offer(plainMessage({ from, to: ana.user.email, subject: `honest ${number}` })));
      await setTimeout(100);
    }
  })();
  honest.stop = async () => {
    isOver = true;
    await stream;
  };
}

describe.each(bombs.map((bomb, index) => ({ ...bomb, index })))(
  'a message of $name',
  ({ build, records = {}, index }) => {
    const subject = `bomb ${index}`;
    let isTaken = false;

    it('is answered for good at the door, and at the same time to a mail program', async () => {
      for (const [name, entry] of Object.entries(records)) host.dns.addRecords(name, entry);
      const latest = (await Delivery.max<number, Delivery>('id')) ?? 0;
      const [reply, answer] = await Promise.all([offer(build(subject)), submit(build(`${subject} of a mail program`))]);
      expect(answer).toMatch(/^(250 2\.0\.0|55[0-4] 5\.\d\.\d) /);
      expect(reply).toMatch(/^(250 2\.0\.0|550 5\.6\.0|552 5\.3\.4) /);
      isTaken = reply.startsWith('250');
      if (isTaken) return;
      const where = { id: { [Op.gt]: latest }, direction: 'in', state: 'refused', recipient: ana.user.email };
      const refused = await until('the ledger row', () => Delivery.findOne({ where }));
      expect(['header_over_limit', 'too_complex', 'malformed_message', 'message_too_large']).toContain(refused.reason);
    });

    it('is opened, if it was taken, with an answer of bounded size', async () => {
      if (!isTaken) return;
      const { _id } = await client.awaitMessage(subject);
      const answer = await fetch(`${host.url}/api/v1/mail/get/${_id}`, {
        headers: { authorization: `Bearer ${client.token}` },
      });
      const text = await answer.text();
      expect(answer.status).toBe(200);
      expect(text.length).toBeLessThan(16_000_000);
      const { data } = JSON.parse(text) as { data: { frame_path: string } };
      const page = await fetch(host.url + data.frame_path);
      expect(page.status).toBe(200);
      expect((await page.arrayBuffer()).byteLength).toBeLessThan(16_000_000);
    });
  },
);

describe('beside all of them', () => {
  it('honest mail was taken', async () => {
    await honest.stop();
    expect(honest.replies.length).toBeGreaterThan(bombs.length);
    expect(honest.replies.filter((reply) => !reply.startsWith('250'))).toEqual([]);
  });

  it.each(programs)('the event loop of %s was never held for 100 ms', async (name) => {
    await nothingWaits();
    const after = await readHeldLoop(host.health[name]);
    const bound = boundFor(0.1);
    expect(after.longerThan(bound) - (before.get(name)?.longerThan(bound) ?? 0)).toBe(0);
  });

  it('no process died', async () => {
    for (const health of Object.values(host.health)) expect((await fetch(`${health}/live`)).ok).toBe(true);
  });
});
