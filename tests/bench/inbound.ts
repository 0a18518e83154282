/** Measures how fast mail is received, and its processor time; see `./ops/bench/inbound`. */
import { execFile, execFileSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { print } from '../../ops/print.ts';
import { startDnsServer } from '../support/dns-server.ts';
import { cpuOfMatching, startPrivateStack } from './private-stack.ts';
import { ratioLine, type Round, roundOf, summary, warmingRounds } from './rounds.ts';
import { openStackDatabase } from './stack-database.ts';

const count = Number(process.env['COUNT'] ?? 1500);
const rounds = Number(process.env['ROUNDS'] ?? 5);
const sizes = (process.env['SIZES'] ?? '4096 65536').split(' ').map(Number);
const yardstick = process.env['YARDSTICK'];
const yardstickPort = Number(process.env['YARDSTICK_PORT'] ?? 2526);
const yardstickProcesses = new RegExp(
  process.env['YARDSTICK_MATCH'] ?? 'postfix|dovecot|rspamd|^(smtpd|lmtp|cleanup|qmgr)\\b',
);
const reader = 'a@bench.test';
const run = promisify(execFile);

interface Host {
  name: string;
  port: number;
  recipient: string;
  /** How many messages the recipient's mailbox has. */
  held(): Promise<number>;
  cpuMs(): Record<string, number>;
}

async function measure(host: Host, size: number): Promise<Round> {
  const before = await host.held();
  const cpuBefore = host.cpuMs();
  const begin = performance.now();
  const to = `127.0.0.1:${host.port}`;
  const envelope = ['-f', 'sender@bench.invalid', '-t', host.recipient];
  await run('smtp-source', ['-s', '10', '-m', String(count), '-l', String(size), ...envelope, to]);
  // No event tells of the last message, so the messages in the mailbox are counted until it has
  // arrived
  while ((await host.held()) < before + count) await wait(20);
  const seconds = (performance.now() - begin) / 1000;
  // Writes after the last message belong to the measurement as well
  await wait(500);
  return roundOf(count, seconds, cpuBefore, host.cpuMs());
}

/** What to stop at the end, last one first, even when the measurement fails. */
const closers: (() => unknown)[] = [];

async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).toReversed()) await close();
}

async function openStack(dnsAddress: string): Promise<Host> {
  const stack = await startPrivateStack({
    SELVAGE_HOSTNAME: 'host.bench.test',
    SELVAGE_ADMIN_EMAIL: reader,
    SELVAGE_ADMIN_PASSWORD: 'a long pass phrase',
    DNS_SERVERS: dnsAddress,
    // All messages come from one address
    SMTP_RATE_PER_MINUTE_PER_ADDRESS: '0',
  });
  closers.push(() => stack.stop());
  const db = await openStackDatabase(stack.environment);
  closers.push(() => db.close());
  return {
    name: 'Selvage',
    port: stack.ports.smtp,
    recipient: reader,
    held: async () => Number(await db.one('SELECT COUNT(*) FROM mailbox_entries')),
    cpuMs: stack.cpuMs,
  };
}

function openYardstick(program: string, dnsAddress: string): Host {
  const env = { ...process.env, PF_PORT: String(yardstickPort), DNS_SERVERS: dnsAddress };
  execFileSync(program, ['up'], { stdio: 'ignore', env });
  closers.push(() => execFileSync(program, ['down'], { stdio: 'ignore', env }));
  return {
    name: 'yardstick',
    port: yardstickPort,
    recipient: 'user@bench.test',
    held: async () => Number((await run(program, ['count'], { env })).stdout),
    cpuMs: () => ({ all: cpuOfMatching(yardstickProcesses) }),
  };
}

async function compare(hosts: readonly Host[], size: number): Promise<void> {
  const results = new Map<Host, Round[]>(hosts.map((host) => [host, []]));
  for (let round = -warmingRounds; round < rounds; round += 1) {
    for (const host of hosts) {
      const result = await measure(host, size);
      if (round >= 0) results.get(host)?.push(result);
    }
  }
  for (const [{ name }, all] of results) print(`${size} bytes: ${name} ${summary(all)}`);
  const [own = [], other] = results.values();
  if (other !== undefined) print(`${size} bytes: ${ratioLine(own, other)}`);
}

try {
  const dns = await startDnsServer({
    'bench.invalid': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] },
    '_dmarc.bench.invalid': { TXT: ['v=DMARC1; p=reject'] },
  });
  closers.push(() => dns.stop());
  const hosts = [await openStack(dns.address)];
  if (yardstick) hosts.push(openYardstick(yardstick, dns.address));
  for (const size of sizes) await compare(hosts, size);
} finally {
  await closeAll();
}
