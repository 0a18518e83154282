import { setTimeout } from 'node:timers/promises';
import { Delivery } from '@selvage/core/models/delivery';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.ts';
import { bombs } from '../support/bombs.ts';
import { type HeldLoop, readHeldLoop } from '../support/event-loop.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { plainMessage, SmtpPeer } from '../support/smtp-peer.ts';
import { startTestHost, type TestHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

/*
 * Messages that an attacker without an account built to hold the host up, sent by the real door
 * beside honest ones, and opened by the real API.
 */

let host: TestHost;
let ana: Mailbox;
let client: ApiClient;
let before: { inbound: HeldLoop; api: HeldLoop };
const honest: { replies: string[]; stop: () => Promise<void> } = { replies: [], stop: async () => undefined };

beforeAll(async () => {
  host = await startTestHost({ SMTP_CONNECTIONS_PER_ADDRESS: '100' });
  ana = await buildMailbox(host.app);
  client = new ApiClient(host);
  await client.signIn(ana.user.email, ana.password);
  await warmUp();
  before = { inbound: await readHeldLoop(host.health.inbound), api: await readHeldLoop(host.health.api) };
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

/**
 * What runs for the first time is compiled, and five seconds after its start a process collects its
 * garbage.
 */
async function warmUp(): Promise<void> {
  for (let round = 0; round < 20; round++) {
    await offer(plainMessage({ from, to: ana.user.email, subject: `warm ${round}` }));
  }
  const [row] = await client.folder();
  await client.email(row?._id ?? '');
  const uptime = async (health: string) =>
    Number(
      /process_start_time_seconds (\d+)/.exec(await (await fetch(health.replace(/\/health$/, '/metrics'))).text())?.[1],
    );
  for (const health of [host.health.inbound, host.health.api]) {
    await until('the end of the start', async () => Date.now() / 1000 - (await uptime(health)) > 8);
  }
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

describe.each(bombs.map((bomb, index) => ({ ...bomb, index })))('a message of $name', ({ build, index }) => {
  const subject = `bomb ${index}`;
  let isTaken = false;

  it('is answered for good at the door', async () => {
    const reply = await offer(build(subject));
    expect(reply).toMatch(/^(250 2\.0\.0|550 5\.6\.0|552 5\.3\.4) /);
    isTaken = reply.startsWith('250');
    if (isTaken) return;
    const refused = await until('the ledger row', () =>
      Delivery.findOne({ where: { state: 'refused', recipient: ana.user.email }, order: [['id', 'DESC']] }),
    );
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
});

describe('beside all of them', () => {
  it('honest mail was taken', async () => {
    await honest.stop();
    expect(honest.replies.length).toBeGreaterThan(bombs.length);
    expect(honest.replies.filter((reply) => !reply.startsWith('250'))).toEqual([]);
  });

  it.each(['inbound', 'api'] as const)('the event loop of %s was never held', async (name) => {
    const after = await readHeldLoop(host.health[name]);
    expect(after.longerThan(0.25) - before[name].longerThan(0.25)).toBe(0);
  });

  it('no process died', async () => {
    for (const health of Object.values(host.health)) expect((await fetch(`${health}/live`)).ok).toBe(true);
  });
});
