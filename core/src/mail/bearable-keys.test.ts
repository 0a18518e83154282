import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { authenticateMessage } from './authenticate-message.ts';
import { withBearableKeys } from './bearable-keys.ts';

const revoked = [['v=DKIM1; p=']];
const judged = (records: string[][]) => withBearableKeys(async () => records)('s._domainkey.a.test', 'TXT');
const { publicKey: rsa, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const base64 = (key: KeyObject, type: 'spki' | 'pkcs1') => key.export({ type, format: 'der' }).toString('base64');

/** A key whose exponents have changed places, so that the public one is as long as the key. */
function costlyKey(): KeyObject {
  const { n = '', e = '', d = '', p = '', q = '', qi = '' } = privateKey.export({ format: 'jwk' });
  const jwk = { kty: 'RSA', n, e: d, d: e, p, q, dp: e, dq: e, qi };
  return createPublicKey(createPrivateKey({ key: jwk, format: 'jwk' }));
}

/** Seven records of the greatest length, with as many keys as fit into each. */
const records = (key: string) => Array.from({ length: 7 }, () => [key.repeat(8192 / key.length)]);

describe('withBearableKeys', () => {
  const ed25519 = generateKeyPairSync('ed25519').publicKey;
  it.each([
    ['an RSA key', `v=DKIM1; k=rsa; p=${base64(rsa, 'spki')}`],
    ['a bare RSA key', `v=DKIM1; k=rsa; p=${base64(rsa, 'pkcs1')}`],
    ['an Ed25519 key', `v=DKIM1; k=ed25519; p=${base64(ed25519, 'spki').slice(-44)}`],
    ['an Ed25519 key with its algorithm', `k=ed25519; p=${base64(ed25519, 'spki')}`],
    ['a revoked key', 'v=DKIM1; k=rsa; p='],
    ['a key in front of which a revoked one stands', `p=; p=${base64(rsa, 'spki')}`],
    ['no key at all', 'v=spf1 -all'],
  ])('leaves %s as it is', async (_, record) => {
    expect(await judged([[record]])).toEqual([[record]]);
    const pieces = [record.slice(0, 20), record.slice(20)];
    expect(await judged([pieces, ['another']])).toEqual([pieces, ['another']]);
  });

  it('leaves a name without records and other questions alone', async () => {
    expect(await judged([])).toEqual([]);
    const key = [[`p=${base64(costlyKey(), 'spki')}`]];
    expect(await withBearableKeys(async () => key)('a.test', 'TXT')).toEqual(key);
  });

  it.each(['spki', 'pkcs1'] as const)('replaces a costly key (%s) wherever it stands in the record', async (type) => {
    const costly = base64(costlyKey(), type);
    expect(await judged([[`v=DKIM1; p=${costly}`]])).toEqual(revoked);
    expect(await judged([[`p=${costly}; P=${base64(rsa, 'spki')}`]])).toEqual(revoked);
    expect(await judged([[`p=; P = ${costly}`]])).toEqual(revoked);
  });

  it('replaces a key that is longer than any it accepts, and a record with many keys', async () => {
    expect(await judged([[`p=${Buffer.alloc(6000, 0x30).toString('base64')}`]])).toEqual(revoked);
    expect(await judged([[`p=;p=;p=${base64(rsa, 'spki')}`]])).toEqual(revoked);
  });

  it.each([
    ['no keys', ';p='],
    ['keys that are none', `;p=${'MIIB'.repeat(50)}`],
    ['one key', `v=DKIM1; p=${'MIIB'.repeat(500)}`],
  ])('takes little time for long records of %s', async (_, key) => {
    const long = records(key);
    const started = cpuTimeMs();
    for (let signature = 0; signature < 20; signature++) await judged(long);
    expect(cpuTimeMs() - started).toBeLessThan(60);
  });

  it('lets a message with all the signatures that are checked take little time', async () => {
    const long = records(';p=');
    const tags = `s=s; h=From; bh=${createHash('sha256').update('hello\r\n').digest('base64')}; b=AAAA`;
    const fields = Array.from(
      { length: 10 },
      (_, at) => `DKIM-Signature: v=1; a=rsa-sha256; d=d${at}.test; ${tags}\r\n`,
    );
    let asked = 0;
    const raw = Buffer.from(`${fields.join('')}From: a@example.com\r\n\r\nhello\r\n`);
    const started = cpuTimeMs();
    await authenticateMessage(raw, {
      ip: '192.0.2.1',
      helo: 'mail.example.com',
      mailFrom: 'a@example.com',
      mta: 'mx.ours.test',
      resolver: async (name) => {
        if (name.includes('_domainkey')) {
          asked += 1;
          return long;
        }
        throw Object.assign(new Error('none'), { code: 'ENOTFOUND' });
      },
    });
    expect(cpuTimeMs() - started).toBeLessThan(100);
    expect(asked).toBe(10);
  });
});
