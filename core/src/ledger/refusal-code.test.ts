import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { letters, newMailId, timeOfMailId } from '../mail/mail-id.ts';
import { SecretsBox } from '../secrets/secrets-box.ts';
import { readRefusalCode, reasonsToldAs, refusalCode } from './refusal-code.ts';
import { reasons } from './reasons.ts';

const host = new SecretsBox(randomBytes(32));
const dayMs = 86_400_000;

function newCode(mailId = newMailId()): string {
  const code = refusalCode(host, 'mailbox_full', mailId);
  if (code === null) throw new Error('the reason has no letter');
  return code;
}

describe('the code of a refusal', () => {
  it('says the reason, the mail and its time, in capitals too', () => {
    const now = Date.now();
    const mailId = newMailId(now);
    expect(timeOfMailId(mailId)).toBe(now);
    const read = { reason: 'mailbox_full', mailId, at: new Date(now), isOver: false };
    expect(readRefusalCode(host, newCode(mailId))).toEqual(read);
    expect(readRefusalCode(host, newCode(mailId).toUpperCase())).toEqual(read);
  });

  it('has a letter of its own for each reason, but for those that a reply does not tell apart', () => {
    const mailId = newMailId();
    const codes = new Map<string, string[]>();
    for (const reason of reasons) {
      const code = refusalCode(host, reason, mailId);
      if (code !== null) codes.set(code, [...(codes.get(code) ?? []), reason]);
    }
    expect([...codes.values()].filter((same) => same.length > 1)).toEqual([['unknown_recipient', 'deleted_mailbox']]);
    for (const [code, same] of codes) {
      const read = readRefusalCode(host, code);
      expect(same[0]).toBe(read?.reason);
      expect(read && reasonsToldAs(read.reason)).toEqual(same);
    }
  });

  it('is over after thirty days, to the millisecond', () => {
    const start = Date.now();
    const code = newCode(newMailId(start));
    expect(readRefusalCode(host, code, start + 30 * dayMs)).toMatchObject({ isOver: false });
    expect(readRefusalCode(host, code, start + 30 * dayMs + 1)).toMatchObject({ isOver: true });
  });

  it('is read by no other host, and not when a single letter is changed, missing or too many', () => {
    const code = newCode();
    expect(readRefusalCode(new SecretsBox(randomBytes(32)), code)).toBeNull();
    for (let at = 0; at < code.length; at += 1) {
      const other = code[at] === '0' ? '1' : '0';
      expect(readRefusalCode(host, code.slice(0, at) + other + code.slice(at + 1))).toBeNull();
      expect(readRefusalCode(host, code.slice(0, at))).toBeNull();
    }
    for (const typed of [`${code}0`, `0${code}`, ` ${code}`, `${code}\n`, '', '\0'.repeat(37), 'ü'.repeat(37)]) {
      expect(readRefusalCode(host, typed)).toBeNull();
    }
  });

  it('has a MAC of 80 bits that uses every letter', () => {
    const seen = new Set<string>();
    for (let count = 0; count < 200; count += 1) for (const letter of newCode().slice(-16)) seen.add(letter);
    expect(seen.size).toBe(letters.length);
    expect(newCode()).toHaveLength(37);
  });
});
