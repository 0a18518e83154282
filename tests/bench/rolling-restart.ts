/** Measures what peers notice of a rolling restart; see `./ops/bench/rolling-restart`. */
import type { App } from '@selvage/core/context/app';
import type { RestartDto } from '@selvage/core/contracts/environment';
import { readRows } from '@selvage/core/database/run-sql';
import { systemContext } from '@selvage/core/context/context';
import { loadConfig } from '@selvage/core/process/config';
import { startApp, stopApp } from '@selvage/core/startup/start-app';
import { print, printError } from '../../ops/print.ts';
import { ApiClient } from '../support/api-client.ts';
import { startDnsServer } from '../support/dns-server.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { until } from '../support/until.ts';
import { type PrivateStack, startPrivateStack } from './private-stack.ts';
import { peersOf, pour, type Tally } from './restart-load.ts';
import { median } from './rounds.ts';

const rounds = Number(process.env['ROUNDS'] ?? 3);
const lanes = Number(process.env['LANES'] ?? 3);
const pauseMs = Number(process.env['PAUSE_MS'] ?? 50);
const mostRestartMs = 300_000;
const mostDeliveryMs = 120_000;
/** The most failures to print. The counts include all. */
const mostNamed = 10;
/** How long the load goes on before and after a restart. */
const calmMs = 3_000;
/** The first administrator of the host. */
const first = { address: 'a@bench.test', password: 'a long pass phrase' };
const problems: string[] = [];

/** A host with a person who sends. Its first administrator can restart it. */
interface Bench {
  app: App;
  stack: PrivateStack;
  sender: Mailbox;
}

async function signedIn({ app, stack }: Bench, email: string, password: string): Promise<ApiClient> {
  const client = new ApiClient({ app, url: `http://127.0.0.1:${stack.ports.http}` });
  await client.signIn(email, password);
  return client;
}

/** Runs one restart under load. @returns how many milliseconds it took */
async function runRound(bench: Bench, round: number): Promise<number> {
  const { app, stack, sender } = bench;
  // A new mailbox for each round, so that it contains only what this round sent
  const reader = await buildMailbox(app, { tenant: sender });
  const admin = await signedIn(bench, first.address, first.password);
  const client = await signedIn(bench, sender.user.email, sender.password);
  let restartMs = 0;
  const tallies = await pour(
    peersOf({ ports: stack.ports, reader, sender, client }),
    { name: `round ${round}`, lanes, pauseMs },
    async () => {
      await calm();
      restartMs = await restart(admin);
      await calm();
    },
  );
  await judge(bench, reader, tallies);
  print(`round ${round}: all processes replaced in ${(restartMs / 1000).toFixed(1)} s`);
  return restartMs;
}

const calm = () => new Promise((resolve) => setTimeout(resolve, calmMs));

/** Restarts as the console does. A call that fails makes the measurement fail. */
async function restart(admin: ApiClient): Promise<number> {
  const begin = performance.now();
  const { number } = await admin.data<RestartDto>('POST', '/env/restart/pm2');
  let last: RestartDto | undefined;
  await until(
    () => `restart ${number} ends; it stands at ${JSON.stringify(last)}`,
    async () => {
      last = await admin.data<RestartDto>('GET', '/env/restart');
      return last.number === number && last.state !== 'running';
    },
    mostRestartMs,
  );
  if (last?.state !== 'done') throw new Error(`the restart failed: ${last?.problem}`);
  return performance.now() - begin;
}

/** Compares the accepted messages with those in the mailbox. */
async function judge({ app }: Bench, reader: Mailbox, tallies: Tally[]): Promise<void> {
  const sent = tallies.filter(({ door }) => door !== 'lists').flatMap(({ accepted }) => accepted);
  let held: string[] = [];
  // A message counts as lost only when it is still missing after all queued messages were delivered
  await until(
    'all messages are there',
    async () => {
      held = await subjectsOf(app, reader);
      const found = new Set(held);
      return sent.every((subject) => found.has(subject));
    },
    mostDeliveryMs,
  ).catch((error: unknown) => printError(String(error)));
  for (const tally of tallies) report(tally, held);
}

async function subjectsOf(app: App, { user }: Mailbox): Promise<string[]> {
  const rows = await readRows<{ subject: string }>(
    systemContext(app),
    `SELECT m.subject FROM mailbox_entries e JOIN messages m ON m.id = e.message_id
      WHERE e.user_id = ? AND e.received_status`,
    [String(user.id)],
  );
  return rows.map(({ subject }) => subject);
}

function report({ door, accepted, answered, refusals, longestMs }: Tally, held: readonly string[]): void {
  const isMail = door !== 'lists';
  const times = new Map<string, number>();
  for (const subject of held) times.set(subject, (times.get(subject) ?? 0) + 1);
  const lost = isMail ? accepted.filter((subject) => !times.has(subject)) : [];
  const doubled = isMail ? accepted.filter((subject) => (times.get(subject) ?? 0) > 1) : [];
  const mail = isMail ? `, ${lost.length} lost, ${doubled.length} doubled` : '';
  print(`  ${door}: ${answered} answered, ${refusals.length} refused${mail}; longest ${longestMs.toFixed(0)} ms`);
  if (answered === 0) problems.push(`${door}: nothing was answered, so nothing was measured`);
  const faults = { refused: refusals, lost, doubled };
  for (const [word, all] of Object.entries(faults))
    for (const one of all.slice(0, mostNamed)) problems.push(`${door}: ${word}: ${one}`);
}

/** What to stop at the end, last one first, even when the measurement fails. */
const closers: (() => unknown)[] = [];

async function open(): Promise<Bench> {
  const dns = await startDnsServer({});
  closers.push(() => dns.stop());
  const stack = await startPrivateStack({
    SELVAGE_HOSTNAME: 'host.bench.test',
    SELVAGE_ADMIN_EMAIL: first.address,
    SELVAGE_ADMIN_PASSWORD: first.password,
    DNS_SERVERS: dns.address,
    UNDO_MS: '0',
    // All messages come from one address
    SMTP_RATE_PER_MINUTE_PER_ADDRESS: '0',
  });
  closers.push(() => stack.stop());
  const app = await startApp(loadConfig({ ...stack.environment, LOG_LEVEL: 'error' }), { role: 'migrate' });
  closers.push(() => stopApp(app));
  const sender = await buildMailbox(app);
  // One person sends all messages, so this count starts far below the hourly limit of a person
  await app.redis.set(`rate:send:${sender.user.id}`, -1_000_000_000, 'EX', 86_400);
  return { app, stack, sender };
}

try {
  const bench = await open();
  const times: number[] = [];
  for (let round = 1; round <= rounds; round += 1) times.push(await runRound(bench, round));
  print(`a restart: ${(median(times) / 1000).toFixed(1)} s, at most ${(Math.max(...times) / 1000).toFixed(1)}`);
} finally {
  for (const close of closers.splice(0).toReversed()) await close();
}
for (const problem of problems) printError(problem);
process.exit(problems.length === 0 ? 0 : 1);
