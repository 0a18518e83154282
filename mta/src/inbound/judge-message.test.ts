import type { AuthenticationResults } from '@selvage/core/mail/authenticate-message';
import { describe, expect, it } from 'vitest';
import { inspectMessage } from './inspect-message.ts';
import { judgeMessage, type Verdict } from './judge-message.ts';

async function judge(
  text: string,
  authentication: AuthenticationResults | null = null,
  hasEndlessLine = false,
): Promise<Verdict> {
  return judgeMessage({
    inspection: await inspectMessage(Buffer.from(text, 'latin1')),
    authentication,
    hasEndlessLine,
  });
}

function results(dmarc: AuthenticationResults['dmarc'], temporaryFailure = false): AuthenticationResults {
  const spf = { result: 'fail', domain: 'a.test' };
  return { spf, dkim: [], dmarc, arc: null, header: '', temporaryFailure };
}

const good = 'From: a@a.test\r\nSubject: x\r\n\r\nFrom: nobody\r\n';
const failed = { result: 'fail', domain: 'a.test' } as const;

describe('judgeMessage', () => {
  it('accepts an ordinary message, whatever its body looks like', async () => {
    expect(await judge(good)).toEqual({ accept: true, folder: 'inbox' });
  });

  it('accepts a message without a From field', async () => {
    expect((await judge('Subject: x\r\n\r\n')).accept).toBe(true);
  });

  it.each([
    ['a bare CR', 'From: a@a.test\r\n\r\na\rb\r\n', 'malformed_message'],
    ['a CR before CRLF', 'From: a@a.test\r\n\r\na\r\r\n', 'malformed_message'],
    ['a CR as the last byte', 'From: a@a.test\r\n\r\na\r', 'malformed_message'],
    ['a NUL', 'From: a@a.test\r\n\r\na\0b\r\n', 'malformed_message'],
    ['a From field that hides its domain', 'From: ceo@bank .test\r\n\r\n', 'malformed_message'],
    [
      'a From field whose checked domain is not the one shown',
      'From: [e@e.test <ceo@bank.test>\r\n\r\n',
      'malformed_message',
    ],
    ['a line that is no field behind From', 'From: ceo@bank.test\r\n: e@e.test\r\n\r\n', 'malformed_message'],
    ['an address in encoded words', 'From: =?utf-8?q?ceo=40bank.test?=\r\n\r\n', 'malformed_message'],
    [
      'a From field with a form feed behind its name',
      'From\f: ceo@bank.test\r\nFrom: a@a.test\r\n\r\n',
      'malformed_message',
    ],
    ['a From field with a wide space before its name', '\xa0From: ceo@bank.test\r\n\r\n', 'malformed_message'],
    [
      'a From field that begins the header with a space',
      ' From: ceo@bank.test\r\nFrom: a@a.test\r\n\r\n',
      'malformed_message',
    ],
    ['a From field whose name is on the next line', 'X: y\r\n\v\r\n\tFrom: ceo@bank.test\r\n\r\n', 'malformed_message'],
    ['a From field whose colon is on the next line', 'From\r\n : ceo@bank.test\r\n\r\n', 'malformed_message'],
    ['a domain with a wide space behind it', 'From: ceo@bank.test\xa0\r\n\r\n', 'malformed_message'],
    ['a domain in letters of full width', 'From: ceo@\xef\xbd\x82ank.test\r\n\r\n', 'malformed_message'],
    ['a domain with a long s', 'From: <ceo@bank.te\xc5\xbft>\r\n\r\n', 'malformed_message'],
    ['two From fields', 'From: a@a.test\r\nfrom : b@b.test\r\n\r\n', 'malformed_message'],
    ['two addresses in From', 'From: a@a.test, B <b@b.test>\r\nSender: a@a.test\r\n\r\n', 'malformed_message'],
    ['two addresses in a folded From', 'From : A <a@a.test>,\r\n\tb@b.test\r\n\r\n', 'malformed_message'],
    ['a group of two in From', 'From: them: a@a.test, b@b.test;\r\n\r\n', 'malformed_message'],
    ['two addresses without a comma', 'From: A <a@a.test> B <b@b.test>\r\n\r\n', 'malformed_message'],
    ['a second address far behind', `From: a@a.test (${'x'.repeat(9000)}), b@b.test\r\n\r\n`, 'malformed_message'],
    ['a From field of 20 KB', `From: a@a.test (${'x'.repeat(20_000)})\r\n\r\n`, 'malformed_message'],
    ['more than fifty hops', `${'Received: x\r\n'.repeat(51)}From: a@a.test\r\n\r\n`, 'loop'],
  ])('refuses %s for good', async (_what, text, reason) => {
    const verdict = await judge(text);
    expect(!verdict.accept && verdict.reply.reason).toBe(reason);
    expect(!verdict.accept && verdict.reply.code >= 500).toBe(true);
  });

  it.each([
    'From: "Doe, Ann" <a@a.test>',
    'From: a@b\xc3\xa4nk.test',
    'From: Ann\xa0Doe\xa0<a@a.test>',
    'From: Doe, Ann <a@a.test>',
    'From: "b@b.test, c" <a@a.test>',
    'From: a@a.test (or b@b.test, at times)',
    'From: =?utf-8?Q?b=40b.test=2C_?= <a@a.test>',
    'From: "<b@b.test>" <a@a.test>',
    'From: Ann <a@a.test> <A@A.test>',
    'From: undisclosed:;',
    'From:',
  ])('accepts %s, which has one address at most', async (from) => {
    expect((await judge(`${from}\r\nSubject: x\r\n\r\n`)).accept).toBe(true);
  });

  it('refuses a line that Haraka could not keep whole', async () => {
    expect((await judge(good, null, true)).accept).toBe(false);
  });

  it('honours a DMARC policy of reject with 550 5.7.1', async () => {
    const verdict = await judge(good, results({ ...failed, policy: 'reject' }));
    expect(verdict).toMatchObject({
      accept: false,
      reply: { code: 550, enhancedCode: '5.7.1', reason: 'dmarc_reject' },
    });
  });

  it('puts what fails DMARC into Junk where the domain asks for it', async () => {
    const junk = { accept: true, folder: 'junk' };
    const inbox = { accept: true, folder: 'inbox' };
    expect(await judge(good, results({ ...failed, policy: 'quarantine' }))).toEqual(junk);
    expect(await judge(good, results({ result: 'pass', domain: 'a.test', policy: 'quarantine' }))).toEqual(inbox);
    expect(await judge(good, results({ ...failed, policy: 'none' }))).toEqual(inbox);
  });

  it('asks to try again where the policy of the domain is known and DNS left the checks undecided', async () => {
    for (const policy of ['reject', 'quarantine'] as const) {
      for (const result of ['temperror', 'fail']) {
        const open = results({ result, policy, domain: 'a.test' }, true);
        expect(await judge(good, open)).toMatchObject({ accept: false, reply: { code: 451, enhancedCode: '4.7.1' } });
      }
    }
  });

  it('takes the message where DNS did not answer and no policy asks for more', async () => {
    expect((await judge(good, results({ result: 'temperror', policy: null, domain: null }, true))).accept).toBe(true);
    expect((await judge(good, results({ ...failed, policy: 'none' }, true))).accept).toBe(true);
  });
});
