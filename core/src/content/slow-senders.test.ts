import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type DnsServer, startDnsServer } from '../../../tests/support/dns-server.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { until } from '../../../tests/support/until.ts';
import type { App, ContentReader } from '../context/app.ts';
import { createResolver } from '../dns/resolver.ts';
import { dkimRecord, generateDkimKeyPair } from '../mail/dkim-key-pair.ts';
import { authenticateByAnswers } from '../mail/message-tasks.ts';
import { signMessage } from '../mail/sign-message.ts';
import { authenticateInThread } from './authenticate-in-thread.ts';
import { openContentReader } from './content-reader.ts';

// Threads start slowly on a busy machine
vi.setConfig({ testTimeout: 90_000 });

let app: App;
let dns: DnsServer;
let reader: ContentReader;
let honest: Buffer;

const filler = `${'x'.repeat(76)}\r\n`.repeat(2000);
const messageFrom = (domain: string) => Buffer.from(`From: a@${domain}\r\nSubject: large\r\n\r\n${filler}`);
const senderOf = (domain: string, ip: string) => ({ ip, helo: `mx.${domain}`, mailFrom: `a@${domain}` });
const inTime = async (work: Promise<unknown>) => await work.then(() => 'answered');

beforeAll(async () => {
  app = await testApp();
  const key = await generateDkimKeyPair();
  const raw = messageFrom('honest.test');
  const signature = signMessage(raw, { domain: 'list.example', selector: 's', privateKey: key.privateKeyPem });
  const own = signMessage(raw, { domain: 'honest.test', selector: 's', privateKey: key.privateKeyPem });
  honest = Buffer.concat([Buffer.from(signature + own), raw]);
  const published = { TXT: [dkimRecord(key.publicKeyBase64).match(/.{1,200}/g)] };
  dns = await startDnsServer({
    'honest.test': { TXT: ['v=spf1 include:spf.honest.test -all'] },
    'spf.honest.test': { TXT: ['v=spf1 ip4:192.0.2.1 -all'] },
    '_dmarc.honest.test': { TXT: ['v=DMARC1; p=reject'] },
    's._domainkey.honest.test': published,
    's._domainkey.list.example': published,
    'slow.test': 'TIMEOUT',
    's._domainkey.slow.test': 'TIMEOUT',
  });
  const resolver = createResolver([dns.address], { timeoutMs: 30_000, tries: 1 });
  const config = { ...app.config, contentThreads: 1, dnsServers: [dns.address] };
  reader = openContentReader(config, { ...app, resolver });
});

afterAll(async () => {
  await reader.close();
  await dns.stop();
});

describe('large messages from one block of IPv6 addresses', () => {
  it('take turns with others as those of one sender, whatever network of the block each is from', async () => {
    const done: string[] = [];
    const check = async (from: string, ip: string) => {
      await reader.authenticate(honest, senderOf('honest.test', ip));
      done.push(from);
    };
    const flood = Array.from({ length: 6 }, (_, at) => check('flood', `2001:db8:1:${at}::1`));
    await Promise.all([...flood, check('other', '2001:db8:2::1')]);
    expect(done.slice(0, 3)).toContain('other');
  });
});

describe('a large message whose sender has slow name servers,', () => {
  it('delays no other, since no thread waits for the DNS', async () => {
    const signed = Buffer.concat([
      Buffer.from(`DKIM-Signature: v=1; a=rsa-sha256; d=slow.test; s=s; h=from; bh=eA==; b=eA==\r\n`),
      messageFrom('slow.test'),
    ]);
    const slow = ['192.0.2.1', '198.51.100.1', '203.0.113.1'].map((ip) =>
      inTime(reader.authenticate(signed, senderOf('slow.test', ip))),
    );
    await until('the slow server is asked', () => dns.questions.some((question) => question.endsWith('slow.test')));
    const checked = reader.authenticate(honest, senderOf('honest.test', '192.0.2.1'));
    expect(await Promise.race([inTime(checked), ...slow.map((one) => one.then(() => 'after a slow one'))])).toBe(
      'answered',
    );
    expect(await checked).toMatchObject({
      spf: { result: 'pass', domain: 'honest.test' },
      dkim: [
        { result: 'pass', domain: 'list.example' },
        { result: 'pass', domain: 'honest.test' },
      ],
      dmarc: { result: 'pass', policy: 'reject', domain: 'honest.test' },
      temporaryFailure: false,
    });
    expect(await Promise.all(slow)).toEqual(['answered', 'answered', 'answered']);
  });

  it.each([
    ['is undecided', 'slow.test', 'temperror'],
    ['passes when what is known is enough', 'honest.test', 'pass'],
  ])('that claims to be from a domain with a policy %s', async (_what, sender, result) => {
    const { mailauthResolver } = createResolver([dns.address]);
    const resolver = async (name: string, type: string) => {
      return await (name.endsWith('slow.test') ? new Promise<never>(() => undefined) : mailauthResolver(name, type));
    };
    const signature = 'DKIM-Signature: v=1; a=rsa-sha256; d=slow.test; s=s; h=from; bh=eA==; b=eA==\r\n';
    const raw = Buffer.concat([Buffer.from(signature), messageFrom('honest.test')]);
    const input = { ...senderOf(sender, '192.0.2.1'), mta: 'host.test', timeoutMs: 3000 };
    const checked = await authenticateInThread(raw, { ...input, resolver }, ({ answers }) =>
      authenticateByAnswers(raw, input, answers),
    );
    expect(checked).toMatchObject({ dmarc: { result, policy: 'reject', domain: 'honest.test' } });
  });

  it('has all of its time for the DNS, however long it waits for a thread', async () => {
    const { mailauthResolver } = createResolver([dns.address]);
    const raw = messageFrom('honest.test');
    const input = { ...senderOf('honest.test', '192.0.2.1'), mta: 'host.test' };
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    await authenticateInThread(raw, { ...input, resolver: mailauthResolver }, async ({ answers }) => {
      const checked = await authenticateByAnswers(raw, input, answers);
      if (answers.has('TXT late.test')) return checked;
      vi.advanceTimersByTime(60_000);
      return { ...checked, missing: [{ name: 'late.test', type: 'TXT' }] };
    });
    expect(dns.questions).toContainEqual(expect.stringMatching(/\blate\.test$/));
  });

  it('is given up when its peer has gone, before a thread works on it', async () => {
    const peer = new AbortController();
    const checked = reader.authenticate(honest, senderOf('honest.test', '192.0.2.1'), peer.signal);
    peer.abort();
    await expect(checked).rejects.toMatchObject({ name: 'AbortError' });
  });
});
