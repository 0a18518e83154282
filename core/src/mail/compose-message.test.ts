import { isAscii } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { longestTurn } from '../../../tests/support/event-loop.ts';
import { completeHeaders } from './complete-headers.ts';
import { composeMessage } from './compose-message.ts';
import { fitLines, hasLongLine, toSevenBit } from './fit-lines.ts';
import { parseMessage } from './parse-message.ts';
import { composeReport } from './compose-report.ts';

const date = new Date('2026-01-02T03:04:05Z');
const basic = {
  from: { name: 'Ann', address: 'ann@example.com' },
  to: [{ name: '', address: 'b@example.org' }],
  subject: 'Hi',
  messageId: '<1@example.com>',
  date,
};

describe('composeMessage', () => {
  it('gives back what went in', async () => {
    const raw = await composeMessage({
      ...basic,
      from: { name: 'Jürgen, "J"', address: 'j@exämple.com' },
      cc: [{ name: 'C', address: 'c@d.e' }],
      subject: `Olé ${'long '.repeat(50)}`,
      html: '<p>Hello <img src="cid:p@x"></p><p>you</p>',
      attachments: [
        { filename: '€ 1.pdf', contentType: 'application/pdf', content: Buffer.from('PDF') },
        {
          filename: 'p.png',
          contentType: 'image/png',
          content: Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
          contentId: 'p@x',
        },
      ],
      inReplyTo: '<0@x>',
      references: Array.from({ length: 80 }, (_, n) => `<${n}@${'x'.repeat(60)}>`),
    });
    const parsed = await parseMessage(raw);
    expect(parsed).toMatchObject({
      from: { name: 'Jürgen, "J"', address: 'j@xn--exmple-cua.com' },
      cc: [{ name: 'C', address: 'c@d.e' }],
      messageIdHeader: '<1@example.com>',
      inReplyTo: '<0@x>',
      date,
      text: 'Hello\n\nyou',
    });
    expect(parsed.subject).toBe(`Olé ${'long '.repeat(50)}`.trim());
    expect(parsed.references).toHaveLength(50);
    expect(parsed.references[0]).toBe(`<0@${'x'.repeat(60)}>`);
    expect(parsed.attachments.map((attachment) => [attachment.filename, attachment.related])).toEqual(
      expect.arrayContaining([
        ['€ 1.pdf', false],
        ['p.png', true],
      ]),
    );
  });

  it.each(['Subject: plain\r\n\r\nHello\r\n', 'Subject: eight\r\n\r\nJürgen\r\n--x--\r\n'])(
    'carries another message as a message, byte for byte: %j',
    async (rest) => {
      const content = Buffer.from(`Received: by a\r\n\tfor b\r\nFrom: a@b.test\r\n${rest}`);
      const file = { filename: 'Lots: "7"\r\nBcc: evil@example.net.eml', contentType: 'message/rfc822', content };
      const raw = await composeMessage({ ...basic, text: 'See this', attachments: [file] });
      expect(raw.includes(Buffer.concat([Buffer.from('\r\n\r\n'), content.subarray(0, -2)]))).toBe(true);
      expect(raw.toString()).not.toMatch(/^Bcc:/im);
      const { attachments, text } = await parseMessage(raw, { keepContent: () => true });
      expect(text?.trim()).toBe('See this');
      expect(attachments).toHaveLength(1);
      expect(attachments[0]).toMatchObject({ contentType: 'message/rfc822' });
      expect(attachments[0]?.content?.toString().trimEnd()).toBe(content.toString().trimEnd());
      expect(fitLines(raw)).toEqual({ kind: 'fits', raw });
      const seven = toSevenBit(raw);
      expect(seven.kind === 'fits' && isAscii(seven.raw)).toBe(true);
    },
  );

  it.each([
    ['no header', 'just words\r\n\r\nmore'],
    ['line ends of another system', 'From: a@b.test\nSubject: x\n\nHello\n'],
    ['a long line', `From: a@b.test\r\n\r\n${'x'.repeat(999)}\r\n`],
    ['no sender and no date', 'Subject: x\r\n\r\nHello\r\n'],
  ])('carries as plain bytes what is called a message and has %s', async (_what, text) => {
    const content = Buffer.from(text);
    const raw = await composeMessage({
      ...basic,
      text: '',
      attachments: [{ filename: 'a.eml', contentType: 'message/rfc822', content }],
    });
    expect(raw.toString()).toMatch(/^Content-Type: application\/octet-stream; name=a\.eml\r$/m);
    const { attachments } = await parseMessage(raw, { keepContent: () => true });
    expect(attachments[0]?.content).toEqual(content);
  });

  it('looks at no endless header of a file that is called a message', async () => {
    const content = Buffer.from('a:\r\n'.repeat(1_500_000));
    const attachments = [{ filename: 'a.eml', contentType: 'message/rfc822', content }];
    const held = await longestTurn(async () => void (await composeMessage({ ...basic, text: '', attachments })));
    expect(held).toBeLessThan(100);
  });

  it('carries large files as they are, and lets other work have its turn meanwhile', async () => {
    const letter = Buffer.from(`From: a@b.test\r\nSubject: x\r\n\r\n${'A line of text.\r\n'.repeat(200_000)}`);
    // Not a multiple of what is encoded at once
    const contents = [randomBytes(25_000_001), letter];
    let turns = 0;
    const count = setInterval(() => (turns += 1), 0);
    const raw = await composeMessage({
      ...basic,
      text: 'See',
      attachments: [
        { filename: 'a.bin', contentType: 'application/zip', content: contents[0] as Buffer },
        { filename: 'b.eml', contentType: 'message/rfc822', content: contents[1] as Buffer },
      ],
    });
    clearInterval(count);
    const { attachments } = await parseMessage(raw, { keepContent: true });
    expect(attachments.map(({ content }, index) => content?.equals(contents[index] as Buffer))).toEqual([true, true]);
    expect(turns).toBeGreaterThan(10);
  });

  it.each([
    ['letters', 'Words and more words. '],
    ['spaces', ' '],
    ['empty lines', '\n'],
    ['lines that end in spaces', 'a line  \n'],
  ])('carries a text of 5 MB of %s as it is, and lets other work have its turn meanwhile', async (_what, words) => {
    const text = `Γειά 😀. ${words.repeat(4_900_000 / words.length)} The end.`;
    let raw: Buffer = Buffer.alloc(0);
    const compose = async () => void (raw = await composeMessage({ ...basic, text }));
    expect(await longestTurn(compose)).toBeLessThan(100);
    expect((await parseMessage(raw)).text?.trimEnd() === text).toBe(true);
    expect(hasLongLine(raw)).toBe(false);
  });

  it('carries a long text of other letters as it is', async () => {
    const text = 'Γειά σου κόσμε 😀 '.repeat(20_000);
    const html = `<p>${text}</p>`;
    const parsed = await parseMessage(await composeMessage({ ...basic, text, html }));
    expect([parsed.text === text, parsed.html === html]).toEqual([true, true]);
  });

  it('lets nothing add a line to the header', async () => {
    const evil = 'x\r\nBcc: evil@example.net\r\n\r\nbody';
    const raw = await composeMessage({
      ...basic,
      subject: evil,
      from: { name: evil, address: 'ann@example.com' },
      html: '',
      attachments: [{ filename: evil, contentType: 'text/plain', content: Buffer.from('') }],
    });
    expect(raw.toString()).not.toMatch(/^bcc:/im);
    const fields =
      raw
        .toString('latin1')
        .split('\r\n\r\n')[0]
        ?.split(/\r\n(?![ \t])/) ?? [];
    const names = new Set(fields.map((field) => field.split(':')[0] ?? ''));
    expect([...names].filter((name) => !name.startsWith('Content-')).toSorted()).toEqual([
      'Date',
      'From',
      'MIME-Version',
      'Message-ID',
      'Subject',
      'To',
    ]);
  });

  it.each([
    ['from', { from: { name: '', address: 'a@b.c>\r\nX: y' } }],
    ['to', { to: [{ name: '', address: 'a@b.c, d@e.f' }] }],
    ['messageId', { messageId: '<a@b>\r\nX: y' }],
    ['inReplyTo', { inReplyTo: 'x' }],
    ['references', { references: ['<a@b> <c@d>'] }],
    ['attachments', { attachments: [{ filename: 'a', contentType: 'a/b\r\nX: y', content: Buffer.from('') }] }],
    [
      'attachments',
      { attachments: [{ filename: 'a', contentType: 'a/b', content: Buffer.from(''), contentId: 'a>\r\nX: y' }] },
    ],
  ])('refuses an unfit %s', async (field, change) => {
    await expect(composeMessage({ ...basic, ...change })).rejects.toMatchObject({ field });
  });

  it('keeps lines within 998 bytes and ends them with CRLF', async () => {
    const raw = await composeMessage({
      ...basic,
      html: `<p>${'é'.repeat(5000)}${'\n'.repeat(3)}${'x'.repeat(5000)}\r.\r</p>`,
    });
    const text = raw.toString('latin1');
    expect(Math.max(...text.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998);
    expect(text).not.toMatch(/\r(?!\n)|(?<!\r)\n/);
  });
});

describe('completeHeaders', () => {
  const complete = (text: string) =>
    completeHeaders(Buffer.from(text, 'latin1'), { date, messageId: '<new@x>', hostname: 'mx.host.test' });
  const rawOf = (text: string) => {
    const result = complete(text);
    return result.kind === 'complete' ? result.raw.toString('latin1') : result.reason;
  };

  it.each([
    [
      'From: a@b.c\n\nx\ry\n',
      'From: a@b.c\r\nDate: Fri, 02 Jan 2026 03:04:05 +0000\r\nMessage-ID: <new@x>\r\n\r\nx\r\ny\r\n',
    ],
    [
      'From: a@b.c\r\nBCC : x@y.z,\r\n w@v.u\r\nDate: 1 Jan 2026 00:00 +0000\r\nMessage-Id: <1@x>\r\n\r\n',
      'From: a@b.c\r\nDate: 1 Jan 2026 00:00 +0000\r\nMessage-Id: <1@x>\r\n\r\n',
    ],
    [
      'From: a@b.c\r\nDate: x\r\nMessage-ID: <1@x>',
      'From: a@b.c\r\nMessage-ID: <1@x>\r\nDate: Fri, 02 Jan 2026 03:04:05 +0000\r\n\r\n',
    ],
    [
      'Authentication-Results: MX.host.test 1;\r\n dmarc=pass\r\nAuthentication-Results: b.c; spf=pass\r\nFrom: a@b.c\r\nDate: 1 Jan 2026 00:00 +0000\r\nMessage-Id: <1@x>\r\n\r\n',
      'Authentication-Results: b.c; spf=pass\r\nFrom: a@b.c\r\nDate: 1 Jan 2026 00:00 +0000\r\nMessage-Id: <1@x>\r\n\r\n',
    ],
    ['To: a@b.c\r\n\r\n', 'from_missing'],
    ['From: a@b.c\r\nFrom: a@b.c\r\n\r\n', 'from_repeated'],
    ['From: a@b.c, d@e.f\r\n\r\n', 'from_repeated'],
    ['From a@b.c\r\n\r\n', 'header_malformed'],
    ['\r\nFrom: a@b.c', 'no_header'],
    ['', 'no_header'],
  ])('makes of %j: %j', (text, expected) => {
    expect(rawOf(text)).toBe(expected);
  });

  it('refuses a From field that is too long, before its addresses are read', () => {
    const start = cpuTimeMs();
    expect(rawOf(`From: ${'a@b.c,'.repeat(100_000)}\r\n\r\n`)).toBe('header_malformed');
    expect(cpuTimeMs() - start).toBeLessThan(100);
  });

  it('finds every recipient of the message', () => {
    const result = complete(
      'From: a@b.c\r\nTo: one@x.y, two@x.y\r\nCc: one@x.y\r\nBcc: Three <three@x.y>, two@x.y\r\n\r\n',
    );
    expect(result).toMatchObject({
      recipients: ['one@x.y', 'two@x.y', 'three@x.y'],
      bcc: ['three@x.y'],
      from: 'a@b.c',
    });
  });

  it('reads the charset of each field by itself', () => {
    const utf8 = Buffer.from('From: Jörg <a@b.c>\r\nSubject: Größe 10 €\r\n').toString('latin1');
    const result = complete(`${utf8}X-Printer: B\xfcro\r\n\r\n`);
    expect(result.kind === 'complete' && result.raw.toString()).toMatch(
      /^From: Jörg <a@b\.c>\r\nSubject: Größe 10 €\r\nX-Printer: Büro\r\n/,
    );
  });

  it('reads raw bytes in the charset of the text, but for what would change an address', () => {
    const koi8 = complete(
      'From: \xf0\xd2\xc9 <a@b.c>\r\nSubject: \xf0\xd2\xc9\r\nContent-Type: text/plain; charset=koi8-r\r\n\r\n',
    );
    expect(koi8.kind === 'complete' && koi8.raw.toString()).toMatch(/^From: При <a@b\.c>\r\nSubject: При\r\n/);
    const from = 'From: a\x83@b.c';
    const hidden = complete(`${from}\r\nSubject: \x83@\r\nContent-Type: text/plain; charset=shift_jis\r\n\r\n`);
    expect(hidden).toMatchObject({ from: 'aƒ@b.c' });
    expect(hidden.kind === 'complete' && hidden.raw.toString()).toMatch(/^From: aƒ@b\.c\r\nSubject: ァ\r\n/);
  });

  it('leaves the body as it is, byte for byte', () => {
    const body = Buffer.from([0xe9, 0x80, 0x41, 0x0d, 0x0a, 0x2e, 0x0d, 0x0a]);
    const result = completeHeaders(Buffer.concat([Buffer.from('From: a@b.c\r\n\r\n'), body]), {
      date,
      messageId: '<n@x>',
      hostname: 'mx.host.test',
    });
    expect(result.kind === 'complete' && result.raw.subarray(-body.length)).toEqual(body);
  });

  it.each(['\r', '\n', '\0', '\r\n ', 'X: y\r\n'])('stays fast on 2 MB of %j', (piece) => {
    const started = cpuTimeMs();
    complete(`From: a@b.c\r\n${piece.repeat(2_000_000 / piece.length)}`);
    expect(cpuTimeMs() - started).toBeLessThan(3000);
  });
});

describe('composeReport', () => {
  const input = {
    kind: 'failed' as const,
    hostname: 'mx.example.com',
    to: 'ann@example.com',
    subject: 'Hi\r\nBcc: x',
    original: Buffer.from('From: ann@example.com\nSubject: Hi\n\nsecret body'),
    arrivedAt: date,
    date,
    messageId: '<r@example.com>',
    originalMessageId: '<1@example.com>',
    recipients: [
      {
        address: 'b@example.org',
        status: '5.1.1',
        lastReply: '550 5.1.1 no such\r\nX-Evil: é',
        remoteHost: 'mx.example.org',
        explanation: 'The mailbox does not exist.',
      },
    ],
  };

  it('says in plain words and in fields what happened', async () => {
    const raw = composeReport(input);
    const text = raw.toString();
    expect(text).toContain('Action: failed\r\nStatus: 5.1.1\r\nRemote-MTA: dns; mx.example.org\r\n');
    expect(text).not.toMatch(/^(X-Evil|Bcc):/m);
    expect(text).not.toContain('secret body');
    expect(text).not.toMatch(/\r(?!\n)|(?<!\r)\n/);
    const parsed = await parseMessage(raw);
    expect(parsed.text).toContain('The mailbox does not exist.');
    expect(parsed).toMatchObject({
      inReplyTo: '<1@example.com>',
      attachments: [{ contentType: 'text/rfc822-headers' }],
    });
  });

  it.each([
    ['550 5.1.2 there is no such domain', null, 'This host says'],
    ['550 5.6.7 mx.example.org does not support internationalised addresses', null, 'This host says'],
    ['Connection timeout', 'mx.example.org', 'mx.example.org'],
  ])('has no server say what this host found out: %s', (lastReply, remoteHost, whose) => {
    const [recipient] = input.recipients;
    const recipients = recipient ? [{ ...recipient, lastReply, remoteHost }] : [];
    const text = composeReport({ ...input, recipients }).toString();
    // Long lines of the text are folded
    expect(text.replaceAll(/\r\n +/g, ' ')).toContain(`\r\n${whose}: ${lastReply}\r\n`);
    expect(text).toContain(`Status: 5.1.1\r\nDiagnostic-Code: x-selvage; ${lastReply}\r\n`);
    expect(text).not.toMatch(/said|Remote-MTA/);
  });

  it('sends no results back that a sender wrote in the name of the host', () => {
    const forged = 'Authentication-Results: mx.example.com; dmarc=pass';
    const original = Buffer.from(`Subject: Hi\n${forged}\nAuthentication-Results: b.c; spf=pass\n\nx`);
    const text = composeReport({ ...input, original }).toString();
    expect(text).not.toContain(forged);
    expect(text).toContain('Subject: Hi\r\nAuthentication-Results: b.c; spf=pass\r\n');
  });

  it('never reports a delay with a failure code', () => {
    expect(composeReport({ ...input, kind: 'delayed' }).toString()).toContain('Action: delayed\r\nStatus: 4.0.0');
  });
});
