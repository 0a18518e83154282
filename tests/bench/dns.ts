/** Measures the cost of watching the DNS of domains; see `./ops/bench/dns`. */
import { systemContext } from '@selvage/core/context/context';
import { checkDomain } from '@selvage/core/domain-check/check-domain';
import { dkimRecord } from '@selvage/core/mail/dkim-key-pair';
import { Domain } from '@selvage/core/models/domain';
import { loadConfig } from '@selvage/core/process/config';
import { createRedis } from '@selvage/core/process/create-redis';
import { startApp, stopApp } from '@selvage/core/startup/start-app';
import { print, printError } from '../../ops/print.ts';
import { type DnsServer, startDnsServer } from '../support/dns-server.ts';
import { until } from '../support/until.ts';
import { type PrivateStack, startPrivateStack } from './private-stack.ts';
import { median } from './rounds.ts';
import { LoadPeers, type Sink, startSink } from './smtp-load.ts';
import { openStackDatabase, type StackDatabase } from './stack-database.ts';

const domains = Number(process.env['DOMAINS'] ?? 1000);
const messages = Number(process.env['MESSAGES'] ?? 100);
const sinkPort = Number(process.env['SINK_PORT'] ?? 2628);
const repeats = 9;
const sender = 'a@bench.test';
const password = 'a long pass phrase';
const host = 'host.bench.test';
const limits = { checkMs: 400, passSeconds: 120, delay: 0.1 };

const problems: string[] = [];
/** What to stop at the end, last one first, even when the measurement fails. */
const closers: (() => unknown)[] = [];

interface Bench {
  dns: DnsServer;
  sink: Sink;
  stack: PrivateStack;
  db: StackDatabase;
  peers: LoadPeers;
}

async function open(): Promise<Bench> {
  const zone = {
    [host]: { A: ['127.0.0.1'] },
    'ns1.bench.test': { A: ['127.0.0.53'] },
    'out.test': { MX: [{ preference: 10, exchange: 'mx.out.test' }] },
    'mx.out.test': { A: ['127.0.0.1'] },
  };
  const dns = await startDnsServer(zone, { delayMs: 50 });
  closers.push(() => dns.stop());
  const sink = startSink(sinkPort);
  closers.push(() => sink.stop());
  const stack = await startPrivateStack({
    SELVAGE_HOSTNAME: host,
    SELVAGE_ADMIN_EMAIL: sender,
    SELVAGE_ADMIN_PASSWORD: password,
    DNS_SERVERS: dns.address,
    OUTBOUND_SMTP_PORT: String(sinkPort),
    OUTBOUND_ALLOW_PRIVATE: 'true',
    PROCESSES_WORKERS: '1',
  });
  closers.push(() => stack.stop());
  const db = await openStackDatabase(stack.environment);
  closers.push(() => db.close());
  await until('the signing key is made', async () => Number(await db.one('SELECT COUNT(*) FROM dkim_keys')) > 0);
  // One person sends all messages, so this count starts far below the hourly limit of a person
  const redis = createRedis(loadConfig(stack.environment), { role: 'worker' });
  await redis.set(`rate:send:${await db.one('SELECT id FROM users LIMIT 1')}`, -1_000_000_000, 'EX', 86_400);
  redis.disconnect();
  const signIn = { address: sender, password };
  const peers = await LoadPeers.open({
    port: stack.ports.submissions,
    tls: true,
    signIn,
    from: sender,
    connections: 1,
  });
  closers.push(() => peers.close());
  return { dns, sink, stack, db, peers };
}

/** Adds domains whose DNS is correct and whose check is not due. */
async function fill({ db, dns }: Bench): Promise<void> {
  await db.run(
    `INSERT INTO domains (company_id, domain_name, active_status, verified_at, next_check_at, created_at, updated_at)
     SELECT 1, CONCAT('d', seq, '.many.test'), 1, NOW(3), NOW(3) + INTERVAL 1 DAY, NOW(3), NOW(3) FROM seq_1_to_${domains}`,
  );
  await db.run(
    `INSERT INTO dkim_keys (company_id, domain_id, selector, public_key, private_key, is_active, created_at, updated_at)
     SELECT 1, d.id, k.selector, k.public_key, k.private_key, 1, NOW(3), NOW(3)
       FROM domains d JOIN dkim_keys k ON k.id = 1 WHERE d.domain_name LIKE '%.many.test'`,
  );
  const record = dkimRecord(await db.one('SELECT public_key FROM dkim_keys WHERE id = 1'));
  const selector = await db.one('SELECT selector FROM dkim_keys WHERE id = 1');
  for (let n = 1; n <= domains; n += 1) {
    const name = `d${n}.many.test`;
    const SOA = [{ mname: 'ns1.bench.test', rname: 'a.bench.test', serial: 1 }];
    const MX = [{ preference: 10, exchange: host }];
    dns.addRecords(name, { A: ['127.0.0.9'], NS: ['ns1.bench.test'], SOA, MX, TXT: ['v=spf1 mx -all'] });
    dns.addRecords(`_dmarc.${name}`, { TXT: ['v=DMARC1; p=reject'] });
    dns.addRecords(`${selector}._domainkey.${name}`, { TXT: [record.match(/.{1,255}/g) ?? []] });
  }
}

async function measureOneCheck({ stack }: Bench): Promise<void> {
  const app = await startApp(loadConfig(stack.environment), { role: 'workers' });
  try {
    const domain = await Domain.findOne({ where: { domainName: 'd1.many.test' }, rejectOnEmpty: true });
    const times: number[] = [];
    for (let round = 0; round <= repeats; round += 1) {
      const begin = performance.now();
      const { check } = await checkDomain(systemContext(app), domain);
      // The first round warms up
      if (round > 0) times.push(performance.now() - begin);
      if (!check.valid) throw new Error(`the check found ${JSON.stringify(check.problems)}`);
    }
    const middle = median(times);
    print(`one check: ${middle.toFixed(0)} ms, at most ${Math.max(...times).toFixed(0)} (limit ${limits.checkMs})`);
    if (middle > limits.checkMs) problems.push(`a check takes more than ${limits.checkMs} ms`);
  } finally {
    await stopApp(app);
  }
}

/**
 * Sends messages one by one. Returns the milliseconds from the first byte of each until the
 * receiving server has it.
 */
async function measureMail({ peers, sink }: Bench): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < messages; n += 1) {
    const [before, begin] = [sink.count(), performance.now()];
    await peers.send(1, ['u@out.test'], 4096);
    while (sink.count() === before) await new Promise((resolve) => setTimeout(resolve, 2));
    times.push(performance.now() - begin);
  }
  return times;
}

async function measurePass(bench: Bench): Promise<void> {
  const { db } = bench;
  await measureMail(bench);
  const quiet = await measureMail(bench);
  await db.run("UPDATE domains SET next_check_at = NOW(3) WHERE domain_name LIKE '%.many.test'");
  const begin = performance.now();
  const count = "SELECT COUNT(*) FROM domains WHERE checked_at IS NOT NULL AND domain_name LIKE '%.many.test'";
  await until('the pass has begun', async () => Number(await db.one(count)) > 0);
  const busy: number[] = [];
  while (Number(await db.one(count)) < domains) busy.push(...(await measureMail(bench)));
  const seconds = (performance.now() - begin) / 1000;
  print(`${domains} domains: ${seconds.toFixed(1)} s (limit ${limits.passSeconds})`);
  if (seconds > limits.passSeconds) problems.push(`the pass takes more than ${limits.passSeconds} s`);
  const [before, meanwhile] = [median(quiet), median(busy)];
  const longer = meanwhile / before - 1;
  print(
    `a message: ${before.toFixed(1)} ms, meanwhile ${meanwhile.toFixed(1)} ms of ${busy.length}, ` +
      `${(longer * 100).toFixed(0)} % longer (limit ${limits.delay * 100} %)`,
  );
  if (longer > limits.delay) problems.push('the pass delays messages');
}

try {
  const bench = await open();
  await fill(bench);
  await measureOneCheck(bench);
  await measurePass(bench);
} finally {
  for (const close of closers.splice(0).toReversed()) await close();
}
for (const problem of problems) printError(problem);
process.exit(problems.length === 0 ? 0 : 1);
