import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { dkimSign } from 'mailauth/lib/dkim/sign.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { authenticateMessage } from './authenticate-message.ts';
import { dkimRecord, generateDkimKeyPair } from './dkim-key-pair.ts';
import { signMessage } from './sign-message.ts';

type Answer = string[][] | string[] | string;
const resolverOf = (records: Record<string, Answer>) => async (name: string, type: string) => {
  const answer = records[`${type} ${name}`] ?? 'ENOTFOUND';
  if (typeof answer === 'string') throw Object.assign(new Error(answer), { code: answer });
  return answer;
};
const records = {
  'TXT example.com': [['v=spf1 ip4:192.0.2.1 -all']],
  'TXT _dmarc.example.com': [['v=DMARC1; p=reject']],
};
const raw = Buffer.from('From: a@example.com\r\nSubject: x\r\n\r\nhello\r\n');
const input = { ip: '192.0.2.1', helo: 'mail.example.com', mailFrom: 'a@example.com', mta: 'mx.ours.test' };

describe('authenticateMessage', () => {
  it('passes what comes from where it should', async () => {
    const key = await generateDkimKeyPair();
    const signature = signMessage(raw, { domain: 'example.com', selector: 's', privateKey: key.privateKeyPem });
    const resolver = resolverOf({ ...records, 'TXT s._domainkey.example.com': [[dkimRecord(key.publicKeyBase64)]] });
    const results = await authenticateMessage(Buffer.concat([Buffer.from(signature), raw]), { ...input, resolver });
    expect(results).toMatchObject({
      spf: { result: 'pass', domain: 'example.com' },
      dkim: [{ result: 'pass', domain: 'example.com', selector: 's' }],
      dmarc: { result: 'pass', policy: 'reject', domain: 'example.com' },
      arc: null,
      temporaryFailure: false,
    });
    expect(results.header).toMatch(/^Authentication-Results: mx\.ours\.test;\r\n [^]*dmarc=pass[^]*\r\n$/);
    expect(results.header).not.toMatch(/\r\n(?![ \t]|$)/);
  });

  it('says whether a signature covers the fields for leaving a list with one click', async () => {
    const key = await generateDkimKeyPair();
    const resolver = resolverOf({ ...records, 'TXT s._domainkey.example.com': [[dkimRecord(key.publicKeyBase64)]] });
    const fields = 'List-Unsubscribe: <https://x.test>\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n';
    const sign = (bytes: Buffer) =>
      Buffer.from(signMessage(bytes, { domain: 'example.com', selector: 's', privateKey: key.privateKeyPem }));
    const covered = Buffer.concat([Buffer.from(fields), raw]);
    const within = await authenticateMessage(Buffer.concat([sign(covered), covered]), { ...input, resolver });
    expect(within.dkim).toMatchObject([{ result: 'pass', coversOneClick: true }]);
    const plain = await authenticateMessage(Buffer.concat([sign(raw), raw]), { ...input, resolver });
    expect(plain.dkim).toMatchObject([{ result: 'pass', coversOneClick: false }]);
  });

  describe('of a signature', () => {
    const domain = 'example.com';
    const foreign = { ...input, ip: '192.0.2.9' };
    let key: Awaited<ReturnType<typeof generateDkimKeyPair>>;
    let resolver: ReturnType<typeof resolverOf>;
    beforeAll(async () => {
      key = await generateDkimKeyPair();
      const published = [[dkimRecord(key.publicKeyBase64)]];
      resolver = resolverOf({
        ...records,
        'TXT s._domainkey.example.com': published,
        'TXT s._domainkey.com': published,
      });
    });
    const signed = async (options: object, bytes = raw) => {
      const whose = { signingDomain: domain, selector: 's', privateKey: key.privateKeyPem, ...options };
      const { signatures } = await dkimSign(bytes, { ...whose, signatureData: [whose] });
      return Buffer.concat([Buffer.from(signatures), bytes]);
    };
    const judged = async (bytes: Buffer) => {
      const { dkim, dmarc, header } = await authenticateMessage(bytes, { ...foreign, resolver });
      expect(header).not.toMatch(/\r\n(?![ \t]|$)/);
      return { dkim: dkim.map(({ result }) => result), dmarc: dmarc.result, header };
    };

    it('that covers the beginning of the body, counts while nothing was added', async () => {
      const bytes = await signed({ maxBodyLength: 7 });
      expect(bytes.toString()).toContain('l=7;');
      expect(await judged(bytes)).toMatchObject({ dkim: ['pass'], dmarc: 'pass' });
      const added = Buffer.concat([bytes, Buffer.from('Pay here: https://evil.test\r\n')]);
      const { header, ...results } = await judged(added);
      expect(results).toEqual({ dkim: ['policy'], dmarc: 'fail' });
      expect(header).toContain('dkim=policy');
      expect(header).not.toMatch(/dkim=(?:pass|none)/);
      const beside = await judged(await signed({}, added));
      expect(beside).toMatchObject({ dkim: ['pass', 'policy'], dmarc: 'pass' });
      expect(beside.header.match(/dkim=\w+/g)).toEqual(['dkim=pass', 'dkim=policy']);
    });

    it('that has expired, counts no more', async () => {
      const signTime = new Date(Date.now() - 86_400_000);
      const bytes = await signed({ signTime, expires: new Date(Date.now() - 3_600_000) });
      expect(bytes.toString()).toContain('x=');
      expect(await judged(bytes)).toMatchObject({ dkim: ['neutral'], dmarc: 'fail' });
    });

    it('of a public suffix proves nothing of a domain below it', async () => {
      expect(await judged(await signed({ signingDomain: 'com' }))).toMatchObject({ dkim: ['pass'], dmarc: 'fail' });
    });

    it('by a short key counts for nothing', async () => {
      const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 512 });
      const short = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
      resolver = resolverOf({ ...records, 'TXT s._domainkey.example.com': [[`v=DKIM1; k=rsa; p=${short}`]] });
      const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
      const bytes = await signed({ privateKey: pem });
      expect(await judged(bytes)).toMatchObject({ dkim: ['policy'], dmarc: 'fail' });
    });

    it.each(['spki', 'pkcs1'] as const)('by a key that takes long to check (%s) counts for nothing', async (type) => {
      // Its exponents have changed places, so the public one is as long as the key
      const jwk = generateKeyPairSync('rsa', { modulusLength: 3072 }).privateKey.export({ format: 'jwk' });
      const { n = '', e = '', d = '', p = '', q = '', qi = '' } = jwk;
      const secret = createPrivateKey({ key: { kty: 'RSA', n, e: d, d: e, p, q, dp: e, dq: e, qi }, format: 'jwk' });
      const costly = createPublicKey(secret).export({ type, format: 'der' }).toString('base64');
      resolver = resolverOf({ ...records, 'TXT s._domainkey.example.com': [['v=DKIM1; P = ', costly]] });
      const bytes = await signed({ privateKey: secret.export({ type: 'pkcs8', format: 'pem' }) });
      expect(await judged(bytes)).toMatchObject({ dkim: ['neutral'], dmarc: 'fail' });
    });

    it('is checked if it is one of the first ten, however many there are', async () => {
      const asked: string[] = [];
      const many = Array.from({ length: 900 }, (_, at) => {
        const bh = createHash('sha256').update('hello\r\n'.slice(0, at)).digest('base64');
        return `DKIM-Signature: v=1; a=rsa-sha256; c=simple/simple; d=d${at}.test; s=s; l=${at}; h=From; bh=${bh}; b=AAAA\r\n`;
      });
      const body = Buffer.alloc(2_000_000, 'hello\r\n');
      const bytes = Buffer.concat([Buffer.from(`${many.join('')}From: a@example.com\r\n\r\n`), body]);
      const started = cpuTimeMs();
      const { dkim } = await authenticateMessage(bytes, {
        ...foreign,
        resolver: async (name, type) => {
          asked.push(name);
          return await resolver(name, type);
        },
      });
      expect(cpuTimeMs() - started).toBeLessThan(2000);
      expect(dkim).toHaveLength(10);
      expect(asked.filter((name) => name.includes('_domainkey')).length).toBeLessThan(11);
    });
  });

  it('fails what does not', async () => {
    const results = await authenticateMessage(raw, { ...input, ip: '192.0.2.9', resolver: resolverOf(records) });
    expect(results).toMatchObject({ spf: { result: 'fail' }, dkim: [], dmarc: { result: 'fail', policy: 'reject' } });
  });

  it('calls an error behind the term that matches an error of SPF, and the sender no forger', async () => {
    const broken = { ...records, 'TXT example.com': [['v=spf1 ip4:192.0.2.1 -all exp=a.test exp=b.test']] };
    const named = await authenticateMessage(raw, { ...input, resolver: resolverOf(broken) });
    expect(named).toMatchObject({ spf: { result: 'permerror', domain: 'example.com' }, dmarc: { result: 'pass' } });
    expect(named.header.match(/(?<=;\r\n )(?:spf|dmarc)=\w+/g)).toEqual(['spf=permerror', 'dmarc=pass']);
    const other = await authenticateMessage(raw, { ...input, ip: '192.0.2.9', resolver: resolverOf(broken) });
    expect(other).toMatchObject({ spf: { result: 'permerror' }, dmarc: { result: 'fail', policy: 'reject' } });
  });

  it('takes no host without an IPv6 address for one that is not there', async () => {
    const hosts = ['a', 'b', 'c', 'd'].map((name) => `${name}.example.com`);
    const record = `v=spf1 ${hosts.map((host) => `a:${host}`).join(' ')} ip6:2001:db8::1 -all`;
    const addresses = Object.fromEntries(hosts.map((host) => [`A ${host}`, ['192.0.2.1']]));
    const without = Object.fromEntries(hosts.map((host) => [`AAAA ${host}`, 'ENODATA']));
    const resolver = resolverOf({ ...records, ...addresses, ...without, 'TXT example.com': [[record]] });
    const results = await authenticateMessage(raw, { ...input, ip: '2001:db8::1', resolver });
    expect(results).toMatchObject({ spf: { result: 'pass' }, dmarc: { result: 'pass' } });
  });

  it('evaluates a valid record once', async () => {
    const asked: string[] = [];
    const answer = resolverOf(records);
    const resolver = async (name: string, type: string) => {
      asked.push(`${type} ${name}`);
      return await answer(name, type);
    };
    await authenticateMessage(raw, { ...input, resolver });
    expect(asked.filter((question) => question === 'TXT example.com')).toHaveLength(1);
  });

  it('writes no line that is longer than a header may have, and none in the words of a sender', async () => {
    const local = `"${'x '.repeat(200)}; dmarc=pass ${'y'.repeat(880)}"`;
    const mailFrom = `${local}@example.com`;
    const { header } = await authenticateMessage(raw, { ...input, mailFrom, resolver: resolverOf(records) });
    const lines = header.split('\r\n').slice(0, -1);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(998);
    expect(lines.filter((line) => line.trim() === '')).toEqual([]);
    expect(lines.slice(1).every((line) => /^ \S/.test(line))).toBe(true);
  });

  it('says none where nothing is published', async () => {
    const results = await authenticateMessage(raw, { ...input, resolver: resolverOf({}) });
    expect(results).toMatchObject({
      spf: { result: 'none' },
      dmarc: { result: 'none', policy: null },
      temporaryFailure: false,
    });
  });

  it.each(['ETIMEOUT', 'ESERVFAIL', 'ECONNREFUSED'])('calls DNS trouble (%s) temporary', async (code) => {
    const resolver = resolverOf({ 'TXT example.com': code, 'TXT _dmarc.example.com': code });
    const results = await authenticateMessage(raw, { ...input, resolver });
    expect(results).toMatchObject({ spf: { result: 'temperror' }, temporaryFailure: true });
  });

  it.each(['ETIMEOUT', 'ESERVFAIL'])('lets no name server of another domain (%s) speak for a forger', async (code) => {
    const resolver = resolverOf({ ...records, 'TXT evil.test': code, 'TXT s._domainkey.evil.test': code });
    const key = await generateDkimKeyPair();
    const signature = signMessage(raw, { domain: 'evil.test', selector: 's', privateKey: key.privateKeyPem });
    const signed = Buffer.concat([Buffer.from(signature), raw]);
    const results = await authenticateMessage(signed, { ...input, mailFrom: 'm@evil.test', resolver });
    expect(results).toMatchObject({
      spf: { result: 'temperror' },
      dmarc: { result: 'fail', policy: 'reject' },
      temporaryFailure: false,
    });
  });

  it('still finds the policy of the author when the name servers of a sender take all the time', async () => {
    const answer = resolverOf(records);
    const resolver = async (name: string, type: string) =>
      name.endsWith('evil.test') ? await new Promise<string[]>(() => {}) : await answer(name, type);
    const asked = { ...input, mailFrom: 'm@evil.test', resolver, timeoutMs: 2000 };
    expect(await authenticateMessage(raw, asked)).toMatchObject({
      dmarc: { result: 'temperror', policy: 'reject', domain: 'example.com' },
      temporaryFailure: true,
    });
  });

  it('answers in its time when DNS does not', async () => {
    const resolver = () => new Promise<string[]>(() => {});
    const results = await authenticateMessage(raw, { ...input, resolver, timeoutMs: 50 });
    expect(results).toMatchObject({ spf: { result: 'temperror', domain: 'example.com' }, temporaryFailure: true });
    expect(results.header).toContain('mx.ours.test');
  });

  it('survives a message that is none, and a null sender', async () => {
    const results = await authenticateMessage(Buffer.from(''), { ...input, mailFrom: '', resolver: resolverOf({}) });
    expect(results.dmarc.result).toBe('none');
  });
});
