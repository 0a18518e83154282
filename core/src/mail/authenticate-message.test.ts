import { describe, expect, it } from 'vitest';
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

  it('fails what does not', async () => {
    const results = await authenticateMessage(raw, { ...input, ip: '192.0.2.9', resolver: resolverOf(records) });
    expect(results).toMatchObject({ spf: { result: 'fail' }, dkim: [], dmarc: { result: 'fail', policy: 'reject' } });
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
