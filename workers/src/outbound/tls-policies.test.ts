import { createHash } from 'node:crypto';
import type { App } from '@selvage/core/context/app';
import { systemContext } from '@selvage/core/context/context';
import { createResolver } from '@selvage/core/dns/resolver';
import { Delivery } from '@selvage/core/models/delivery';
import { submitMessage } from '@selvage/core/outbound/submit-message';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { awayRedis } from '../../../tests/support/away-redis.ts';
import { bytesOf, type KeyAndCertificate, makeCertificate, withChain } from '../../../tests/support/certificates.ts';
import { type DnsServer, startDnsServer } from '../../../tests/support/dns-server.ts';
import { buildMailbox } from '../../../tests/support/factories.ts';
import {
  type PolicyServer,
  policyText,
  say,
  sayForEver,
  startPolicyServer,
  trustedAuthority,
} from '../../../tests/support/policy-server.ts';
import { type RemoteServer, startRemoteServer } from '../../../tests/support/remote-server.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { until } from '../../../tests/support/until.ts';
import { makeDkimKey } from '../domains/generate-dkim.ts';
import { DeliveryRunner } from './delivery-runner.ts';
import { sendRemotely, type SendMeans } from './send-remotely.ts';
import { SmtpPool } from './smtp-pool.ts';
import { StsPolicies } from './sts-policies.ts';

/** Of name servers that answer: a crowded machine may keep them from it for seconds. */
const patient = { timeoutMs: 30_000, tries: 1 };
const closers: (() => unknown)[] = [];
let authority: KeyAndCertificate;
/** Another key than the authority's. */
let otherKey: string;
let policies: PolicyServer;
let dns: DnsServer;
let domains = 0;

beforeAll(async () => {
  // A host of its own takes longest, and no test should have to wait for it
  await testApp();
  authority = trustedAuthority();
  otherKey = makeCertificate('any').key;
  policies = await startPolicyServer(authority);
  dns = await startDnsServer({});
});
beforeEach(() => {
  policies.answer = say('', {}, 404);
});
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});
afterAll(async () => {
  await policies.stop();
  await dns.stop();
});

type ServerOptions = NonNullable<Parameters<typeof startRemoteServer>[0]>;
type Certificate = (host: string) => KeyAndCertificate;

const trusted: Certificate = (host) => makeCertificate(host, { by: authority, key: otherKey });
const selfSigned: Certificate = (host) => makeCertificate(host, { key: otherKey });
const withoutTls: ServerOptions = { disabledCommands: ['AUTH', 'STARTTLS'], hideSTARTTLS: true };

interface World {
  domain: string;
  mx: string;
  server: RemoteServer;
  means: SendMeans;
}

/** A domain of its own with one mail host, which has this certificate. */
async function buildWorld(certificate = trusted, options: ServerOptions = {}): Promise<World> {
  domains += 1;
  const domain = `d${domains}.test`;
  const mx = `mx.${domain}`;
  const server = await startRemoteServer({ ...certificate(mx), ...options });
  closers.push(() => server.stop());
  dns.addRecords(domain, { MX: [{ preference: 10, exchange: mx }] });
  dns.addRecords(mx, { A: ['127.0.0.1'] });
  dns.addRecords(`mta-sts.${domain}`, { A: ['127.0.0.1'] });
  return { domain, mx, server, means: await meansTo(server) };
}

async function meansTo(server: RemoteServer, changes: Partial<SendMeans> = {}): Promise<SendMeans> {
  const { config, redis } = await testApp();
  const [pool, ownIpv6] = [new SmtpPool(), { isFirst: async () => false }];
  closers.push(() => pool.close());
  const resolver = createResolver([dns.address], { ...patient, cacheMs: 0 });
  const own = { ...config, outboundSmtpPort: server.port, mtaStsPort: policies.port, outboundTimeoutSeconds: 30 };
  return { config: own, redis, resolver, pool, policies: newPolicies(), ownIpv6, isRetry: false, ...changes };
}

/** What a process knows of policies: everything is looked up in Redis again. */
function newPolicies(deadlineMs = 30_000): StsPolicies {
  return new StsPolicies({ deadlineMs, freshMs: 0 });
}

/** The domain says that it has this policy. */
function announce(domain: string, id: string, text: string): void {
  dns.addRecords(`_mta-sts.${domain}`, { TXT: [[`v=STSv1; id=${id};`]] });
  policies.answer = say(text);
}

/** What came of a message to one person at the domain. */
async function send(means: SendMeans, domain: string) {
  const raw = Buffer.from('From: ana@host.test\r\nSubject: hello\r\n\r\ntext\r\n');
  const envelope = { from: 'ana@host.test', to: [`bob@${domain}`], raw };
  for await (const [sent] of sendRemotely(means, envelope)) if (sent) return sent.outcome;
  throw new Error('one recipient has one outcome');
}

const checked = { kind: 'accepted', tls: { state: 'mta_sts', protocol: 'TLSv1.3' } };
const unchecked = { kind: 'accepted', tls: { state: 'encrypted', protocol: 'TLSv1.3' } };
const deferred = { kind: 'deferred', reason: 'tls_policy', reply: expect.stringMatching(/^451 4\.7\.5 /) };

describe('mail to a domain with an MTA-STS policy', () => {
  it('goes to a server that proves its name', async () => {
    const { domain, mx, server, means } = await buildWorld();
    announce(domain, '1', policyText('enforce', mx));
    expect(await send(means, domain)).toMatchObject(checked);
    expect(server.received).toMatchObject([{ secure: true }]);
  });

  it.each<[string, Certificate, ServerOptions]>([
    ['whose certificate has another name', () => trusted('other.test'), {}],
    ['whose certificate has a name above its own', (host) => trusted(host.slice(3)), {}],
    ['whose certificate no authority signed', selfSigned, {}],
    ['whose certificate is out of date', (host) => expired(host), {}],
    ['that offers no TLS', trusted, withoutTls],
  ])('waits rather than go to a server %s', async (_name, certificate, options) => {
    let isAsked = false;
    const onMailFrom: ServerOptions['onMailFrom'] = (_address, _session, done) => {
      isAsked = true;
      done();
    };
    const { domain, mx, means } = await buildWorld(certificate, { ...options, onMailFrom });
    announce(domain, '1', policyText('enforce', mx));
    expect(await send(means, domain)).toMatchObject({ ...deferred, host: null, reply: expect.stringContaining(mx) });
    expect(isAsked).toBe(false);
  });

  it('waits when the policy does not name its host, and goes to another one that it names', async () => {
    const { domain, mx, server, means } = await buildWorld();
    announce(domain, '1', policyText('enforce', `*.other.${domain}`));
    expect(await send(means, domain)).toMatchObject(deferred);
    expect(server.received).toHaveLength(0);
    dns.addRecords(domain, {
      MX: [
        { preference: 1, exchange: `evil.${domain}` },
        { preference: 10, exchange: mx },
      ],
    });
    dns.addRecords(`evil.${domain}`, { A: ['127.0.0.1'] });
    announce(domain, '2', policyText('enforce', mx));
    expect(await send(means, domain)).toMatchObject({ ...checked, host: mx });
  });

  it.each(['testing', 'none'])('goes as ever in mode %s', async (mode) => {
    const { domain, means } = await buildWorld(selfSigned);
    announce(domain, '1', policyText(mode, 'elsewhere.test'));
    expect(await send(means, domain)).toMatchObject(unchecked);
    expect(policies.asked).toContain(`mta-sts.${domain}`);
  });

  it('follows the policy when its id changes, and only then', async () => {
    const { domain, means } = await buildWorld(selfSigned);
    announce(domain, '1', policyText('enforce', `mx.${domain}`));
    expect(await send(means, domain)).toMatchObject(deferred);
    announce(domain, '1', policyText('none'));
    expect(await send(means, domain)).toMatchObject(deferred);
    announce(domain, '2', policyText('none'));
    expect(await send(means, domain)).toMatchObject(unchecked);
  });

  describe('that was fetched once', () => {
    it.each<[string, (domain: string) => void]>([
      ['its server is down and the id another', (domain) => announceWithout(domain)],
      ['its record is gone', (domain) => dns.addRecords(`_mta-sts.${domain}`, 'NXDOMAIN')],
      ['the name server fails', (domain) => dns.addRecords(`_mta-sts.${domain}`, 'SERVFAIL')],
      ['there are two records', (domain) => twoRecords(domain)],
    ])('waits when %s, also in another process', async (_name, breakDown) => {
      const { domain, mx, server, means } = await buildWorld(selfSigned);
      announce(domain, '1', policyText('enforce', mx));
      expect(await send(means, domain)).toMatchObject(deferred);
      breakDown(domain);
      expect(await send(means, domain)).toMatchObject(deferred);
      expect(await send({ ...means, policies: newPolicies() }, domain)).toMatchObject(deferred);
      expect(server.received).toHaveLength(0);
    });

    it('waits when Redis was emptied, which is filled again', async () => {
      const { domain, mx, means } = await buildWorld(selfSigned);
      const { redis } = await testApp();
      announce(domain, '1', policyText('enforce', mx));
      await send(means, domain);
      await redis.del(`mta-sts:${domain}`);
      dns.addRecords(`_mta-sts.${domain}`, 'NXDOMAIN');
      expect(await send(means, domain)).toMatchObject(deferred);
      expect(await redis.ttl(`mta-sts:${domain}`)).toBeGreaterThan(86_000);
    });

    it('waits while Redis is away', async () => {
      const { domain, mx, means } = await buildWorld(selfSigned);
      announce(domain, '1', policyText('enforce', mx));
      await send(means, domain);
      dns.addRecords(`_mta-sts.${domain}`, 'SERVFAIL');
      expect(await send({ ...means, redis: await awayRedis(closers) }, domain)).toMatchObject(deferred);
    });

    it('is forgotten when its time is over', async () => {
      const { domain, mx, means } = await buildWorld(selfSigned);
      const { redis } = await testApp();
      announce(domain, '1', policyText('enforce', mx));
      await send(means, domain);
      const kept = JSON.parse((await redis.get(`mta-sts:${domain}`)) ?? '') as object;
      await redis.set(`mta-sts:${domain}`, JSON.stringify({ ...kept, endsAt: Date.now() - 1 }));
      dns.addRecords(`_mta-sts.${domain}`, 'NXDOMAIN');
      expect(await send({ ...means, policies: newPolicies() }, domain)).toMatchObject(unchecked);
    });

    it('is fetched again by the time that half of its own is over', async () => {
      const { domain, mx, means } = await buildWorld();
      const { redis } = await testApp();
      announce(domain, '1', policyText('enforce', mx));
      await send(means, domain);
      const kept = JSON.parse((await redis.get(`mta-sts:${domain}`)) ?? '') as object;
      await redis.set(`mta-sts:${domain}`, JSON.stringify({ ...kept, renewAt: Date.now() - 1 }));
      const asked = policies.asked.length;
      expect(await send({ ...means, policies: newPolicies() }, domain)).toMatchObject(checked);
      await expect.poll(() => policies.asked.length).toBe(asked + 1);
    });
  });

  it('goes as ever while Redis is away and nothing says that there is a policy', async () => {
    const { domain, means } = await buildWorld(selfSigned);
    expect(await send({ ...means, redis: await awayRedis(closers) }, domain)).toMatchObject(unchecked);
  });

  it('waits while Redis is away and the policy can not be had', async () => {
    const { domain, means } = await buildWorld();
    announceWithout(domain);
    expect(await send({ ...means, redis: await awayRedis(closers) }, domain)).toMatchObject(deferred);
  });

  it('goes as ever when no policy was ever had, and its server is asked once by all processes', async () => {
    const { domain, means } = await buildWorld(selfSigned);
    announceWithout(domain);
    const asked = policies.asked.length;
    for (const known of [means.policies, means.policies, newPolicies()]) {
      expect(await send({ ...means, policies: known }, domain)).toMatchObject(unchecked);
    }
    expect(policies.asked).toHaveLength(asked + 1);
  });

  it('waits for a slow server of policies once, and holds up no other domain meanwhile', async () => {
    const { domain, means } = await buildWorld(selfSigned);
    const other = await buildWorld(selfSigned);
    dns.addRecords(`_mta-sts.${domain}`, { TXT: [['v=STSv1; id=1;']] });
    const giveUp = new AbortController();
    policies.answer = sayForEver(giveUp.signal);
    const ends: string[] = [];
    const burst = Array.from({ length: 5 }, () => send(means, domain).then(() => ends.push('slow')));
    const asked = () => policies.asked.filter((host) => host === `mta-sts.${domain}`);
    await until('the slow server is asked', () => asked().length > 0);
    await send({ ...other.means, policies: means.policies }, other.domain).then(() => ends.push('other'));
    expect(ends).toEqual(['other']);
    giveUp.abort();
    await Promise.all(burst);
    expect(await send(means, domain)).toMatchObject(unchecked);
    expect(asked()).toHaveLength(1);
  });

  it('goes as ever when its server takes longer than the deadline', async () => {
    const { domain, means } = await buildWorld(selfSigned);
    dns.addRecords(`_mta-sts.${domain}`, { TXT: [['v=STSv1; id=1;']] });
    policies.answer = sayForEver();
    const begun = Date.now();
    expect(await send({ ...means, policies: newPolicies(1000) }, domain)).toMatchObject(unchecked);
    expect(Date.now() - begun).toBeGreaterThanOrEqual(1000);
  });

  it('never goes through a connection that was opened without the proof', async () => {
    const { domain, mx, server, means } = await buildWorld(selfSigned);
    const strict = `strict.${domain}`;
    dns.addRecords(strict, { MX: [{ preference: 10, exchange: mx }] });
    dns.addRecords(`mta-sts.${strict}`, { A: ['127.0.0.1'] });
    expect(await send(means, domain)).toMatchObject(unchecked);
    announce(strict, '1', policyText('enforce', mx));
    expect(await send(means, strict)).toMatchObject(deferred);
    expect(server.received).toHaveLength(1);
  });

  it('costs one question that is remembered where there is no policy', async () => {
    const { domain, means } = await buildWorld();
    const resolver = createResolver([dns.address], patient);
    for (let count = 0; count < 3; count += 1) await send({ ...means, resolver }, domain);
    expect(dns.questions.filter((question) => question.endsWith(`_mta-sts.${domain}`))).toHaveLength(1);
  });
});

describe('the ledger', () => {
  it('says why mail waits for a server that proves itself, and that it was proved', async () => {
    const { domain, mx, server, means } = await buildWorld(selfSigned);
    const host = await testApp();
    const config = { ...means.config, retryScheduleSeconds: [0, 0] };
    const app = Object.assign(Object.create(host) as App, { config, resolver: means.resolver });
    const ctx = systemContext(app);
    const { user, ...mailbox } = await buildMailbox(host);
    await makeDkimKey(ctx, { domainId: String(mailbox.domain.id), selector: 's1' });
    const raw = Buffer.from(`From: ${user.email}\r\nTo: bob@${domain}\r\nSubject: hello\r\n\r\ntext\r\n`);
    const { mailId } = await submitMessage(ctx, { user, raw, door: 'web', bcc: [] });
    const runner = new DeliveryRunner({ perDomain: 5, concurrency: 5, takeOverAfterMs: 0 });
    closers.push(() => runner.close(0));
    announce(domain, '1', policyText('enforce', mx));
    const attempt = async () => {
      await runner.pass(ctx);
      await runner.idle();
      return await Delivery.findOne({ where: { mailId }, rejectOnEmpty: true });
    };
    const waits = { state: 'queued', reason: 'tls_policy', tls: null, lastReply: expect.stringContaining('451 4.7.5') };
    expect(await attempt()).toMatchObject(waits);
    app.config.outboundSmtpPort = (await buildProvedServer(mx)).port;
    const ends = { state: 'relayed', reason: 'remote_accepted', tls: 'mta_sts', tlsProtocol: 'TLSv1.3' };
    expect(await attempt()).toMatchObject(ends);
    expect(server.received).toHaveLength(0);
  });

  async function buildProvedServer(mx: string): Promise<RemoteServer> {
    const server = await startRemoteServer(trusted(mx));
    closers.push(() => server.stop());
    return server;
  }
});

function expired(host: string): KeyAndCertificate {
  return makeCertificate(host, { by: authority, key: otherKey, isExpired: true });
}

/** Announces another policy, which can't be had. */
function announceWithout(domain: string): void {
  announce(domain, 'next', '');
  policies.answer = say('', {}, 503);
}

function twoRecords(domain: string): void {
  dns.addRecords(`_mta-sts.${domain}`, { TXT: [['v=STSv1; id=1;'], ['v=STSv1; id=2;']] });
}

describe('mail to a domain with TLSA records', () => {
  const proved = { kind: 'accepted', tls: { state: 'dane', protocol: 'TLSv1.3' } };
  const digest = (bytes: Buffer, name = 'sha256') => createHash(name).update(bytes).digest();
  const record = (usage: number, selector: number, matchingType: number, certificate: Buffer) => ({
    usage,
    selector,
    matchingType,
    certificate,
  });

  /** A domain whose name servers prove what they say, but for `unproved`. */
  async function buildProved(
    records: (host: KeyAndCertificate) => object[],
    certificate: Certificate = selfSigned,
    options: ServerOptions = {},
  ) {
    let shown: KeyAndCertificate | undefined;
    const world = await buildWorld((host) => (shown = certificate(host)), options);
    const { domain, mx, server } = world;
    const tlsa = `_${server.port}._tcp.${mx}`;
    if (shown) dns.addRecords(tlsa, { TLSA: records(shown) });
    for (const name of [domain, mx, tlsa]) dns.proved.add(name);
    const resolver = createResolver([dns.address], { ...patient, cacheMs: 0, validates: true });
    return { ...world, tlsa, means: { ...world.means, resolver } };
  }

  it.each([
    ['3 1 1', (host: KeyAndCertificate) => record(3, 1, 1, digest(bytesOf(host, 'key')))],
    ['3 1 2', (host: KeyAndCertificate) => record(3, 1, 2, digest(bytesOf(host, 'key'), 'sha512'))],
    ['3 1 0', (host: KeyAndCertificate) => record(3, 1, 0, bytesOf(host, 'key'))],
    ['3 0 1', (host: KeyAndCertificate) => record(3, 0, 1, digest(bytesOf(host)))],
    ['3 0 0', (host: KeyAndCertificate) => record(3, 0, 0, bytesOf(host))],
  ])('goes to a server whose certificate matches %s, whatever its name and dates', async (_name, matching) => {
    const stale: Certificate = () => makeCertificate('other.test', { key: otherKey, isExpired: true });
    const { domain, server, means } = await buildProved(
      (host) => [record(3, 1, 1, digest(Buffer.from('x'))), matching(host)],
      stale,
    );
    expect(await send(means, domain)).toMatchObject(proved);
    expect(server.received).toMatchObject([{ secure: true }]);
  });

  it('waits rather than go to a server whose certificate does not match, however valid it is', async () => {
    const { domain, server, means } = await buildProved(() => [record(3, 1, 1, digest(Buffer.from('x')))], trusted);
    expect(await send(means, domain)).toMatchObject({ ...deferred, reply: expect.stringContaining('TLSA') });
    expect(server.received).toHaveLength(0);
  });

  it('waits rather than go in the clear', async () => {
    const matching = (host: KeyAndCertificate) => [record(3, 1, 1, digest(bytesOf(host, 'key')))];
    const { domain, server, means } = await buildProved(matching, selfSigned, withoutTls);
    expect(await send(means, domain)).toMatchObject(deferred);
    expect(server.received).toHaveLength(0);
  });

  describe('of a trust anchor', () => {
    let anchor: KeyAndCertificate;
    beforeAll(() => {
      anchor = makeCertificate('An Anchor', { isAuthority: true });
    });
    /** Signed by the anchor, which is sent along. */
    const below: Certificate = (host) => withChain(makeCertificate(host, { by: anchor, key: otherKey }), anchor);

    it.each([
      ['2 0 1', () => record(2, 0, 1, digest(bytesOf(anchor)))],
      ['2 1 1', () => record(2, 1, 1, digest(bytesOf(anchor, 'key')))],
      ['2 0 0', () => record(2, 0, 0, bytesOf(anchor))],
    ])('goes to a server below the anchor of %s', async (_name, matching) => {
      const { domain, means } = await buildProved(() => [matching()], below);
      expect(await send(means, domain)).toMatchObject(proved);
    });

    it('goes to a server that does not send an anchor which stands in the record', async () => {
      const alone: Certificate = (host) => makeCertificate(host, { by: anchor, key: otherKey });
      const { domain, means } = await buildProved(() => [record(2, 0, 0, bytesOf(anchor))], alone);
      expect(await send(means, domain)).toMatchObject(proved);
    });

    it('goes to a server below an authority that the anchor signed, and whose certificate names the domain', async () => {
      const middle = makeCertificate('Middle', { by: anchor, isAuthority: true });
      const deep: Certificate = (host) =>
        withChain(makeCertificate(host.slice(3), { by: middle, key: otherKey }), middle, anchor);
      const { domain, means } = await buildProved(() => [record(2, 1, 1, digest(bytesOf(anchor, 'key')))], deep);
      expect(await send(means, domain)).toMatchObject(proved);
    });

    it.each<[string, Certificate]>([
      ['has another name', () => below('other.test')],
      [
        'is out of date',
        (host) => withChain(makeCertificate(host, { by: anchor, key: otherKey, isExpired: true }), anchor),
      ],
      [
        'claims to be signed by it',
        (host) => withChain(makeCertificate(host, { by: { ...anchor, key: otherKey }, key: otherKey }), anchor),
      ],
      ['is signed by one that is no authority', (host) => belowServer(host)],
      ['has nothing to do with it', (host) => withChain(selfSigned(host), anchor)],
    ])('waits when the certificate %s', async (_name, shown) => {
      const { domain, server, means } = await buildProved(() => [record(2, 0, 1, digest(bytesOf(anchor)))], shown);
      expect(await send(means, domain)).toMatchObject(deferred);
      expect(server.received).toHaveLength(0);
    });

    /** An attacker with a certificate of the anchor for another host signs one with it. */
    function belowServer(host: string): KeyAndCertificate {
      const server = makeCertificate('other.test', { by: anchor, key: authority.key });
      return withChain(makeCertificate(host, { by: server, key: otherKey }), server, anchor);
    }
  });

  it.each(['domain', 'mx', 'tlsa'] as const)(
    'goes as ever when DNSSEC does not prove the records of the %s',
    async (which) => {
      const world = await buildProved(() => [record(3, 1, 1, digest(Buffer.from('x')))]);
      dns.proved.delete(world[which]);
      expect(await send(world.means, world.domain)).toMatchObject(unchecked);
    },
  );

  it('goes as ever when the name servers are not said to validate', async () => {
    const { domain, server, means } = await buildProved(() => [record(3, 1, 1, digest(Buffer.from('x')))]);
    expect(await send(await meansTo(server), domain)).toMatchObject(unchecked);
    expect(await send(means, domain)).toMatchObject(deferred);
  });

  it.each(['SERVFAIL', 'TIMEOUT'] as const)('waits when the name servers answer %s for them', async (answer) => {
    const { domain, server, tlsa, means } = await buildProved(() => []);
    dns.addRecords(tlsa, answer);
    const hasty = answer === 'TIMEOUT' ? { timeoutMs: 1000, tries: 1 } : patient;
    const resolver = createResolver([dns.address], { ...hasty, validates: true });
    expect(await send({ ...means, resolver }, domain)).toMatchObject({ kind: 'deferred', reason: 'dns_failure' });
    expect(server.received).toHaveLength(0);
  });

  it('asks about no host whose addresses are not proved', async () => {
    const { domain, mx, tlsa, means } = await buildProved(() => []);
    dns.proved.delete(mx);
    dns.addRecords(tlsa, 'SERVFAIL');
    expect(await send(means, domain)).toMatchObject(unchecked);
    expect(dns.questions).not.toContain(`TLSA ${tlsa}`);
  });

  it.each([
    ['of an authority', () => record(1, 1, 1, digest(Buffer.from('x')))],
    ['with half a digest', () => record(3, 1, 1, Buffer.from('half'))],
    ['of another kind', () => record(3, 7, 9, digest(Buffer.from('x')))],
  ])('demands TLS and no proof when all records are %s', async (_name, unusable) => {
    const { domain, means } = await buildProved(() => [unusable()]);
    expect(await send(means, domain)).toMatchObject(unchecked);
    const plain = await buildProved(() => [unusable()], selfSigned, withoutTls);
    expect(await send(plain.means, plain.domain)).toMatchObject(deferred);
  });

  it('goes to the domain itself when it has no MX', async () => {
    const { domain, server, means } = await buildProved(() => []);
    const tlsa = `_${server.port}._tcp.${domain}`;
    dns.addRecords(domain, { A: ['127.0.0.1'] });
    dns.addRecords(tlsa, {
      TLSA: [record(3, 1, 1, digest(bytesOf({ key: otherKey, cert: selfSigned('x').cert }, 'key')))],
    });
    dns.proved.add(tlsa);
    expect(await send(means, domain)).toMatchObject({ ...proved, host: domain });
  });

  it('reads the records of the name that an alias leads to, and else those of the alias', async () => {
    const asked: unknown[] = [];
    const onSecure: ServerOptions['onSecure'] = (socket, _session, done) => {
      asked.push('servername' in socket ? socket.servername : null);
      done();
    };
    const matching = (host: KeyAndCertificate) => [record(3, 1, 1, digest(bytesOf(host, 'key')))];
    const { domain, mx, server, tlsa, means } = await buildProved(matching, selfSigned, { onSecure });
    const last = `host.${domain}`;
    dns.addRecords(mx, { CNAME: [last] });
    dns.addRecords(last, { A: ['127.0.0.1'] });
    expect(await send(means, domain)).toMatchObject({ ...proved, host: mx });
    const ofLast = `_${server.port}._tcp.${last}`;
    dns.addRecords(ofLast, { TLSA: matching(selfSigned(last)) });
    dns.proved.add(ofLast);
    expect(await send(means, domain)).toMatchObject({ ...proved, host: mx });
    dns.addRecords(ofLast, { TLSA: [record(3, 1, 1, digest(Buffer.from('x')))] });
    expect(await send(means, domain)).toMatchObject(deferred);
    expect(asked.slice(0, 2)).toEqual([mx, last]);
    expect(dns.questions.filter((question) => question === `TLSA ${tlsa}`)).toHaveLength(1);
  });

  it('reads the records of a proved alias whose target nothing proves', async () => {
    const matching = (host: KeyAndCertificate) => [record(3, 1, 1, digest(bytesOf(host, 'key')))];
    const { domain, mx, tlsa, means } = await buildProved(matching);
    dns.addRecords(mx, { CNAME: [`host.${domain}`] });
    dns.addRecords(`host.${domain}`, { A: ['127.0.0.1'] });
    dns.proved.delete(mx);
    expect(await send(means, domain)).toMatchObject(unchecked);
    dns.proved.add(`CNAME ${mx}`);
    expect(await send(means, domain)).toMatchObject({ ...proved, host: mx });
    dns.addRecords(tlsa, { TLSA: [record(3, 1, 1, digest(Buffer.from('x')))] });
    expect(await send(means, domain)).toMatchObject(deferred);
  });

  it('counts before MTA-STS, for and against a server', async () => {
    const matching = await buildProved((host) => [record(3, 1, 1, digest(bytesOf(host, 'key')))]);
    announce(matching.domain, '1', policyText('enforce', matching.mx));
    expect(await send(matching.means, matching.domain)).toMatchObject(proved);
    const other = await buildProved(() => [record(3, 1, 1, digest(Buffer.from('x')))], trusted);
    announce(other.domain, '1', policyText('enforce', other.mx));
    expect(await send(other.means, other.domain)).toMatchObject(deferred);
  });

  it('never goes through a connection that was opened for other records', async () => {
    const { domain, tlsa, means } = await buildProved((host) => [record(3, 1, 1, digest(bytesOf(host, 'key')))]);
    expect(await send(means, domain)).toMatchObject(proved);
    dns.addRecords(tlsa, { TLSA: [record(3, 1, 1, digest(Buffer.from('x')))] });
    expect(await send(means, domain)).toMatchObject(deferred);
  });
});
