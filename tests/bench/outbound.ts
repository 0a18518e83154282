/** Measures how fast mail is sent, and its processor time; see `./ops/bench/outbound`. */
import { execFileSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { loadConfig } from '@selvage/core/process/config';
import { createRedis } from '@selvage/core/process/create-redis';
import { print } from '../../ops/print.ts';
import { startDnsServer } from '../support/dns-server.ts';
import { isFree } from '../support/free-ports.ts';
import { until } from '../support/until.ts';
import { cpuOfMatching, type PrivateStack, startPrivateStack } from './private-stack.ts';
import { ratioLine, type Round, roundOf, summary, warmingRounds } from './rounds.ts';
import { LoadPeers, type Sink, startSink } from './smtp-load.ts';
import { openStackDatabase } from './stack-database.ts';

const count = Number(process.env['COUNT'] ?? 1500);
const wide = Number(process.env['WIDE'] ?? 10);
const rounds = Number(process.env['ROUNDS'] ?? 5);
const size = Number(process.env['SIZE'] ?? 4096);
const sinkPort = Number(process.env['SINK_PORT'] ?? 2628);
const yardstick = process.env['YARDSTICK'];
const yardstickPort = Number(process.env['YARDSTICK_PORT'] ?? 2528);
const yardstickProcesses = new RegExp(
  process.env['YARDSTICK_MATCH'] ?? 'postfix|opendkim|^(smtpd|smtp|cleanup|qmgr)\\b',
);
const sender = 'a@bench.test';
const password = 'a long pass phrase';
const crowd = Array.from({ length: 100 }, (_, index) => `u${index}@out.test`);

interface Host {
  name: string;
  peers: LoadPeers;
  /** True when no message is queued any more. */
  isEmpty(sent: { messages: number; before: number; recipients: number }): Promise<boolean> | boolean;
  cpuMs(): Record<string, number>;
}

async function measure(host: Host, sink: Sink, messages: number, recipients: string[]): Promise<Round> {
  const before = sink.count();
  const cpuBefore = host.cpuMs();
  const begin = performance.now();
  await host.peers.send(messages, recipients, size);
  while (!(await host.isEmpty({ messages, before, recipients: recipients.length }))) await wait(10);
  const seconds = (performance.now() - begin) / 1000;
  // Writes after the last message belong to the measurement as well
  await wait(500);
  return roundOf(messages, seconds, cpuBefore, host.cpuMs());
}

async function openStack(
  stack: PrivateStack,
  sink: Sink,
): Promise<Host & { close(): Promise<void>; queries(): Promise<number> }> {
  const redis = createRedis(loadConfig(stack.environment), { role: 'worker' });
  const db = await openStackDatabase(stack.environment);
  await until('the signing key is made', async () => Number(await db.one('SELECT COUNT(*) FROM dkim_keys')) > 0);
  // One person sends all messages, so this count starts far below the hourly limit of a person
  await redis.set(`rate:send:${await db.one('SELECT id FROM users LIMIT 1')}`, -1_000_000_000, 'EX', 86_400);
  const signIn = { address: sender, password };
  const peers = await LoadPeers.open({
    port: stack.ports.submissions,
    tls: true,
    signIn,
    from: sender,
    connections: 10,
  });
  const isOver = async () =>
    Number(await db.one("SELECT EXISTS(SELECT 1 FROM deliveries WHERE state IN ('queued', 'held'))")) === 0;
  return {
    name: 'Selvage',
    peers,
    isEmpty: async ({ messages, before }) => sink.count() >= before + messages && (await isOver()),
    cpuMs: stack.cpuMs,
    queries: db.statements,
    close: async () => {
      peers.close();
      redis.disconnect();
      await db.close();
    },
  };
}

async function openYardstick(sink: Sink): Promise<Host> {
  const peers = await LoadPeers.open({ port: yardstickPort, tls: false, signIn: null, from: sender, connections: 10 });
  return {
    name: 'yardstick',
    peers,
    // The limit of this host is 50 recipients in a transaction
    isEmpty: ({ messages, before, recipients }) => sink.count() >= before + messages * Math.ceil(recipients / 50),
    cpuMs: () => ({ all: cpuOfMatching(yardstickProcesses) }),
  };
}

/** What to stop at the end, last one first, even when the measurement fails. */
const closers: (() => unknown)[] = [];

async function openAll(): Promise<{ here: Awaited<ReturnType<typeof openStack>>; hosts: Host[]; sink: Sink }> {
  if (!(await isFree(sinkPort))) throw new Error(`port ${sinkPort} is taken; set SINK_PORT`);
  const dns = await startDnsServer({
    'out.test': { MX: [{ preference: 10, exchange: 'mx.out.test' }] },
    'mx.out.test': { A: ['127.0.0.1'] },
  });
  closers.push(() => dns.stop());
  const sink = startSink(sinkPort);
  closers.push(() => sink.stop());
  const stack = await startPrivateStack({
    SELVAGE_HOSTNAME: 'host.bench.test',
    SELVAGE_ADMIN_EMAIL: sender,
    SELVAGE_ADMIN_PASSWORD: password,
    DNS_SERVERS: dns.address,
    OUTBOUND_SMTP_PORT: String(sinkPort),
    OUTBOUND_ALLOW_PRIVATE: 'true',
  });
  closers.push(() => stack.stop());
  const here = await openStack(stack, sink);
  closers.push(() => here.close());
  if (!yardstick) return { here, hosts: [here], sink };
  const env = { ...process.env, SINK_PORT: String(sinkPort), PF_PORT: String(yardstickPort) };
  execFileSync(yardstick, ['up'], { stdio: 'ignore', env });
  closers.push(() => execFileSync(yardstick, ['down'], { stdio: 'ignore' }));
  const there = await openYardstick(sink);
  closers.push(() => there.peers.close());
  return { here, hosts: [here, there], sink };
}

async function compare(what: string, messages: number, recipients: string[]): Promise<void> {
  const results = new Map<string, Round[]>(hosts.map(({ name }) => [name, []]));
  let statements = 0;
  for (let round = -warmingRounds; round < rounds; round += 1) {
    for (const host of hosts) {
      const before = await here.queries();
      const result = await measure(host, sink, messages, recipients);
      if (round >= 0) results.get(host.name)?.push(result);
      if (host === here) statements = (await here.queries()) - before;
    }
  }
  for (const [name, all] of results) print(`${what}: ${name} ${summary(all)}`);
  const [own = [], other] = results.values();
  if (other !== undefined) print(`${what}: ${ratioLine(own, other)}`);
  const each = (statements / messages).toFixed(1);
  print(`${what}: about ${each} SQL statements a message, the measurement's own included`);
}

const { here, hosts, sink } = await openAll().catch(async (error: unknown) => {
  await closeAll();
  throw error;
});
try {
  if (count > 0) await compare(`1 recipient, ${size} bytes`, count, ['u@out.test']);
  if (wide > 0) await compare(`100 recipients at one domain, ${size} bytes`, wide, crowd);
} finally {
  await closeAll();
}

async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).toReversed()) await close();
}
