import { setTimeout as wait } from 'node:timers/promises';
import { Message } from '@selvage/core/models/message';
import { beforeAll, describe, expect, it } from 'vitest';
import { childrenOf } from '../support/children-of.ts';
import { buildCompany, buildMailbox, type Mailbox, type Tenant } from '../support/factories.ts';
import { Flood } from '../support/flood.ts';
import { isAlive } from '../support/is-alive.ts';
import { survive } from '../support/load.ts';
import { prepareSigning } from '../support/signing.ts';
import { plainMessage, SmtpPeer } from '../support/smtp-peer.ts';
import { type ProgramName, startTestHost, type TestHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

const names: ProgramName[] = ['inbound', 'api', 'submission', 'workers'];
let host: TestHost;
let tenant: Tenant;
let ana: Mailbox;

beforeAll(async () => {
  host = await startTestHost({
    UNDO_MS: '0',
    PROCESSES_INBOUND: '2',
    PROCESSES_SUBMISSION: '2',
    PROCESSES_WORKERS: '2',
    PROCESSES_API: '2',
    SMTP_CONNECTIONS_PER_ADDRESS: '20',
    FIRST_COMMAND_SECONDS: '60',
  });
  tenant = await buildCompany(host.app);
  await prepareSigning(host, tenant);
  ana = await buildMailbox(host.app, { tenant });
});

/** The processes that do the work of a kind. */
function membersOf(name: ProgramName): number[] {
  return childrenOf(host.pid(name));
}

interface Report {
  ok: boolean;
  checks: Record<string, string>;
  pids: number[];
}

async function report(name: ProgramName): Promise<Report> {
  return (await (await fetch(`${host.health[name]}/ready`)).json()) as Report;
}

async function deliver(from: string): Promise<string> {
  const peer = await SmtpPeer.open(host.ports.smtp, { from });
  const to = ana.user.email;
  const reply = await peer.deliver('ann@remote.test', to, plainMessage({ from: 'ann@remote.test', to, subject: 'x' }));
  peer.close();
  return reply;
}

/** Kills one of the two members, or now and then the first process, which ends both. */
async function killOne(name: ProgramName): Promise<void> {
  if (Math.random() < 0.2) {
    await host.end(name, 'SIGKILL');
    await host.start(name);
    return;
  }
  await killMember(name);
}

async function killMember(name: ProgramName): Promise<void> {
  const victim = membersOf(name)[Math.floor(Math.random() * 2)];
  if (victim === undefined) throw new Error(`${name} has no process`);
  process.kill(victim, 'SIGKILL');
  const isReplaced = async () => {
    // A first process ends when a member dies before all were ready. The supervisor starts it again
    if (!isAlive(host.pid(name))) await host.start(name);
    const members = membersOf(name);
    return members.length === 2 && !members.includes(victim);
  };
  // The pause before the next start doubles with each death
  await until('another one is there', isReplaced, 120_000);
}

/** Messages that the inbound door says it has stored. */
async function counted(): Promise<number> {
  const metrics = await (await fetch(host.health.inbound.replace('/health', '/metrics'))).text();
  return Number(/^selvage_mail_events_total\{event="stored".*\} (\d+)$/m.exec(metrics)?.[1]);
}

/**
 * On a busy machine a process may say too late what it has counted. Then its last answer counts.
 */
async function untilCounted(messages: number): Promise<void> {
  let last = 0;
  await until(
    () => `the door has counted ${messages} messages, not ${last}`,
    async () => {
      last = await counted();
      return last === messages;
    },
  );
}

describe('two processes of each kind', () => {
  it.each(names)('work as %s', (name) => {
    expect(membersOf(name)).toHaveLength(2);
  });

  it('answer for their health and their metrics together', async () => {
    const { ok, checks, pids } = await until('both have answered in time', async () => {
      const found = await report('inbound');
      return Object.values(found.checks).every((check) => check === 'ok') && found;
    });
    expect({ ok, checks }).toEqual({
      ok: true,
      checks: { database: 'ok', redis: 'ok', 'process 1': 'ok', 'process 2': 'ok' },
    });
    expect(pids.toSorted()).toEqual(membersOf('inbound').toSorted());
    for (let n = 0; n < 10; n++) expect(await deliver('127.0.0.1')).toMatch(/^250/);
    await untilCounted(10);
    expect(await (await fetch(`${host.url}/metrics`)).text()).toContain('selvage_http_request_seconds_count');
  });

  it('serve what is true of the whole host once', async () => {
    const text = await until('the host has been measured', async () => {
      const found = await (await fetch(host.health.workers.replace('/health', '/metrics'))).text();
      return found.includes('selvage_engine_up') && found;
    });
    expect(text.match(/^selvage_engine_up\{engine="database"\} 1$/gm)).toHaveLength(1);
    expect(text).toMatch(/^selvage_deliveries_overdue_seconds 0$/m);
    expect(text).toMatch(/^selvage_process_deaths_total 0$/m);
  });

  it('keep what they have counted when one of them dies', async () => {
    const before = await counted();
    await killMember('inbound');
    expect(await counted()).toBe(before);
    expect(await deliver('127.0.0.1')).toMatch(/^250/);
    await untilCounted(before + 1);
  });

  it('count the connections of one address together', async () => {
    const flood = await Flood.start(host.ports.smtp, 20, '127.0.0.9');
    await until('one more is refused', async () => {
      const more = await SmtpPeer.open(host.ports.smtp, { from: '127.0.0.9', helo: null });
      const answer = await more.command('EHLO peer.remote.test');
      more.close();
      return answer === '';
    });
    expect(await deliver('127.0.0.1')).toMatch(/^250/);
    flood.close();
    await until('the address may come back', async () =>
      (await deliver('127.0.0.9').catch(() => '')).startsWith('250'),
    );
  });

  it.each(names)('lose nothing when one of %s is killed', async (name) => {
    await survive({ host, tenant }, `one ${name}`, () => killMember(name), { mayRepeat: name === 'workers' });
  });

  it('lose nothing while processes of every kind are killed at random', async () => {
    const messages = Number(process.env['TEST_MESSAGES'] ?? 150);
    const before = await Message.count();
    const killed = Object.fromEntries(names.map((name) => [name, 0]));
    const disaster = async (): Promise<void> => {
      while ((await Message.count()) < before + messages || Object.values(killed).includes(0)) {
        const left = names.filter((one) => killed[one] === 0);
        const from = left.length > 0 ? left : names;
        const name = from[Math.floor(Math.random() * from.length)] ?? 'inbound';
        killed[name] = (killed[name] ?? 0) + 1;
        await killOne(name);
      }
    };
    await survive({ host, tenant }, 'at random', disaster, { mayRepeat: true });
  }, 900_000);

  it('end with the process that started them, and nothing is lost', async () => {
    const disaster = async (): Promise<void> => {
      const members = membersOf('inbound');
      await host.end('inbound', 'SIGKILL');
      await until('they are gone', () => !members.some(isAlive));
      await host.start('inbound');
    };
    await survive({ host, tenant }, 'the first of inbound', disaster);
  });

  it.each(names)('are replaced one by one at SIGHUP, and no peer is refused: %s', async (name) => {
    const old = membersOf(name);
    let isReplaced = false;
    const whileReplaced = async (work: () => Promise<void>): Promise<void> => {
      while (!isReplaced) {
        await work();
        // Leaves the processor to the processes that start
        await wait(10);
      }
    };
    process.kill(host.pid(name), 'SIGHUP');
    await Promise.all([
      ...Array.from({ length: 8 }, () =>
        whileReplaced(async () => expect((await fetch(`${host.url}/health/live`)).status).toBe(200)),
      ),
      whileReplaced(async () => {
        expect(await deliver('127.0.0.1')).toMatch(/^250/);
        const members = membersOf(name);
        isReplaced = members.length === 2 && !members.some((pid) => old.includes(pid));
      }),
    ]);
  });
});
