import { generateKeyPairSync } from 'node:crypto';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { longestTurn } from '../../../tests/support/event-loop.ts';
import { signatureAround } from '../../../tests/support/signed-file.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import type { App, ContentReader, StoredBlob } from '../context/app.ts';
import { toSevenBit } from '../mail/fit-lines.ts';
import { signMessage } from '../mail/sign-message.ts';
import { fillPictures } from '../mail/show-message.ts';
import { openContentReader } from './content-reader.ts';

// Threads start slowly on a busy machine
vi.setConfig({ testTimeout: 90_000 });

let app: App;
let content: ContentReader;

beforeAll(async () => {
  app = await testApp();
  ({ content } = app);
});

const png = Buffer.from('iVBORw0KGgo=', 'base64');
/**
 * A message with a text, a picture of it and a file; `filler` makes it as large as a test needs.
 */
function message(filler = 0): Buffer {
  const part = (head: string, body: string) => `--b\r\n${head}\r\n\r\n${body}\r\n`;
  const html = `<p>Hello <img src="cid:logo@x"> <img src="cid:gone@x"> there</p>${'<p>more words here</p>\r\n'.repeat(filler)}`;
  return Buffer.from(
    'From: Ana <ana@a.test>\r\nTo: b@b.test\r\nReply-To: c@c.test\r\nSubject: parts\r\nMessage-ID: <1@a.test>\r\n' +
      'MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n' +
      part('Content-Type: text/html', html) +
      part(
        'Content-Type: image/png\r\nContent-ID: <logo@x>\r\nContent-Transfer-Encoding: base64',
        png.toString('base64'),
      ) +
      part('Content-Type: text/csv\r\nContent-Disposition: attachment; filename=rows.csv', 'a,b\r\n1,2') +
      '--b--\r\n',
  );
}
const [small, large] = [message(), message(10_000)];
const put = (raw: Buffer): Promise<StoredBlob> => app.blobs.put(raw);

describe.each([
  ['in the process', small],
  ['in a thread', large],
])('a message that is read %s', (_where, raw) => {
  it('is summarised from its bytes and from its blob', async () => {
    const summary = await content.summarise(raw, 'ana');
    expect(summary).toMatchObject({ subject: 'parts', from: { name: 'Ana', address: 'ana@a.test' }, fromCount: 1 });
    expect(summary.attachments.map(({ filename }) => filename)).toEqual(['attachment-1.png', 'rows.csv']);
    expect(await content.summarise(await put(raw), 'ana')).toEqual(summary);
    expect(summary).not.toHaveProperty('html');
  });

  it('gives the files that are asked for', async () => {
    const { attachments } = await content.readFiles(await put(raw), [1], 'ana');
    expect(attachments.map((file) => file.content?.toString())).toEqual([undefined, 'a,b\r\n1,2']);
    expect(Buffer.isBuffer(attachments[1]?.content)).toBe(true);
  });

  it('is shown with its pictures in their places', async () => {
    const shown = await content.show(await put(raw), 'ana');
    const html = fillPictures(shown, (id) => `/picture/${id}?a&b`);
    expect(html).toContain('Hello <img src="/picture/logo@x?a&amp;b" /> <img /> there');
    expect(shown.replyTo).toEqual([{ name: '', address: 'c@c.test' }]);
  });

  it('becomes a draft with its pictures in its text', async () => {
    const { summary, body } = await content.readDraft(await put(raw), 'ana');
    expect(body).toContain(`<img src="data:image/png;base64,${png.toString('base64')}" />`);
    expect(Buffer.isBuffer(summary.attachments[1]?.content)).toBe(true);
  });

  it('is completed, or refused with a reason', async () => {
    const input = { date: new Date('2026-01-02T03:04:05Z'), messageId: '<new@host.test>', hostname: 'host.test' };
    const result = await content.complete(raw, input, 'ana');
    if ('kind' in result) throw new Error(result.text);
    expect(result.completed.raw.toString()).toContain('\r\nDate: Fri, 02 Jan 2026 03:04:05 +0000\r\n');
    expect(result.summary.messageIdHeader).toBe('<1@a.test>');
    const nameless = Buffer.from(raw.toString().replace('From: Ana <ana@a.test>\r\n', ''));
    expect(await content.complete(nameless, input, 'ana')).toMatchObject({ kind: 'refused', reason: 'from_missing' });
  });

  it('is signed, and converted for a server that takes no 8-bit text', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const signing = { domain: 'a.test', selector: 's', privateKey };
    expect(await content.sign(raw, signing, 'ana')).toBe(signMessage(raw, signing));
    // Longer than what is signed in the process
    const long = Buffer.concat([raw, Buffer.alloc(2_000_000, 'x\r\n')]);
    expect(await content.sign(long, signing, 'ana')).toBe(signMessage(long, signing));
    const foreign = Buffer.from(raw.toString().replace('Hello', 'Olé'));
    const converted = await content.convert(foreign, 'ana');
    expect(converted).toEqual(toSevenBit(foreign));
    expect(converted).toMatchObject({ kind: 'fits', raw: expect.any(Buffer) });
    expect(await content.convert(Buffer.from(`DKIM-Signature: x\r\n${String(foreign)}`), 'ana')).toMatchObject({
      kind: 'refused',
    });
  });

  it('is authenticated', async () => {
    const results = await content.authenticate(raw, { ip: '192.0.2.1', helo: 'a.test', mailFrom: '' });
    // The tests' name server does not answer
    expect(results).toMatchObject({ temporaryFailure: true, header: expect.stringContaining('host.test') });
  });
});

describe('a message that takes too much to read', () => {
  const deep = Array.from({ length: 60 }, (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}\r\n`);
  const bomb = Buffer.from(`From: a@a.test\r\nMIME-Version: 1.0\r\n${deep.join('')}\r\n<b>x</b>`);

  it('is shown by the beginning of its source, and refused otherwise', async () => {
    const blob = await put(bomb);
    const { html } = await content.show(blob, 'ana');
    expect(html).toMatch(/^<p><strong>This message is built in a way[^<]*<\/strong><\/p><pre>From: a@a\.test/);
    expect(html).toContain('&lt;b&gt;x&lt;/b&gt;</pre>');
    await expect(content.summarise(bomb, 'ana')).rejects.toMatchObject({ reason: 'too_deep' });
  });

  it('is shown without the results that it claims for this host', async () => {
    const { hostname } = app.config;
    const forged = `Authentication-Results: ${hostname.toUpperCase()} 1;\r\n\tdmarc=pass\r\n`;
    const others = 'Authentication-Results: other.test; dmarc=fail\r\n';
    const blob = await put(Buffer.concat([Buffer.from(forged + others), bomb]));
    const { html } = await content.show(blob, 'ana');
    expect(html).toMatch(/<pre>Authentication-Results: other\.test; dmarc=fail\s+From: a@a\.test/);
    expect(html).not.toContain('dmarc=pass');
  });

  it('costs one thread its life and is remembered', async () => {
    const hard = Buffer.from(
      `From: a@a.test\r\nContent-Type: text/html\r\n\r\n${'<b><i></b></i>\r\n'.repeat(300_000)}`,
    );
    const strict = openContentReader({ ...app.config, contentCpuSeconds: 0.2 }, app);
    const blob = await put(hard);
    const first = await strict.show(blob, 'ana');
    expect(first.html).toContain('beginning of its source');
    expect(await strict.show(blob, 'ana')).toBe(first);
    await strict.close();
  });
});

describe('many small messages at once', () => {
  const sender = { ip: '192.0.2.1', helo: 'a.test', mailFrom: 'a@a.test' };

  it('hold the event loop for no long time where all wait for one name server', async () => {
    const { promise: come, resolve } = Promise.withResolvers<void>();
    const terms = `${'ip4:192.0.2.9 '.repeat(500)}-all`;
    const includes = Array.from({ length: 9 }, (_, number) => `include:i${number}.a.test `).join('');
    const mailauthResolver = async (name: string, type: string) => {
      if (type !== 'TXT' || name.startsWith('_')) throw Object.assign(new Error('none'), { code: 'ENOTFOUND' });
      await come;
      return [[`v=spf1 ${name === 'a.test' ? includes : ''}${terms}`]];
    };
    const reader = openContentReader(app.config, { ...app, resolver: { ...app.resolver, mailauthResolver } });
    const all = Array.from({ length: 60 }, () => reader.authenticate(small, sender));
    setImmediate(resolve);
    const longest = await longestTurn(async () => {
      for (const { spf } of await Promise.all(all)) expect(spf.result).toBe('fail');
    });
    expect(longest).toBeLessThan(100);
    await reader.close();
  });

  it('cost the process little where each has many parts', async () => {
    const part = '--b\r\nContent-Type: message/rfc822\r\n\r\nSubject: a\r\n\r\nx\r\n';
    const raw = Buffer.from(
      `From: a@a.test\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${part.repeat(900)}--b--\r\n`,
    );
    // The thread starts, and all code is compiled
    await content.summarise(raw, 'ana');
    const started = cpuTimeMs();
    const summaries = await Promise.all(Array.from({ length: 8 }, () => content.summarise(raw, 'ana')));
    expect(summaries.map(({ partCount }) => partCount)).toEqual(Array.from({ length: 8 }, () => 901));
    expect(cpuTimeMs() - started).toBeLessThan(300);
  });

  const messages = '--b\r\nContent-Type: message/rfc822\r\n\r\nSubject: a\r\n\r\nx\r\n'.repeat(580);
  const digest = `Content-Type: multipart/digest; boundary=c\n\n${'--c\n\nA:b\n'.repeat(320)}--c--`;
  const signed = (type: string) =>
    `--b\r\n${type}\r\nContent-Transfer-Encoding: base64\r\n\r\n${signatureAround(digest).toString('base64')}\r\n`;

  it.each([
    ['in sight', messages, 0],
    ['within signed files', signed('Content-Type: application/PKCS7-MIME').repeat(3), 3],
    ['within one small signed file', signed('Content-Type: application/pkcs7-mime'), 1],
    [
      'within signed files that only a reader of their names finds',
      signed("Content-Type: application/octet-stream; name*=us-ascii''smime%2Ep7m").repeat(3),
      3,
    ],
  ])('cost the process little where their parts are %s, whatever is read of them', async (_where, parts, files) => {
    const build = (number: number) =>
      Buffer.from(
        `From: a@a.test\r\nSubject: ${number}\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${parts}--b--\r\n`,
      );
    const input = { date: new Date(0), messageId: '<new@host.test>', hostname: 'host.test' };
    const readAll = async (raw: Buffer) => {
      const blob = await put(raw);
      const [summary] = await Promise.all([
        content.summarise(raw, 'ana'),
        content.complete(raw, input, 'ana'),
        content.summarise(blob, 'ana'),
        content.readFiles(blob, [0], 'ana'),
        content.readDraft(blob, 'ana'),
        content.searchText(blob, 'ana'),
        content.show(blob, 'ana'),
      ]);
      return summary;
    };
    // The thread starts, and all code is compiled
    const { attachments } = await readAll(build(1));
    expect(attachments).toHaveLength(files === 0 ? 580 : files * 321);
    const started = cpuTimeMs();
    await readAll(build(2));
    expect(cpuTimeMs() - started).toBeLessThan(150);
  });
});

describe('a draft that is read from a message', () => {
  const html = (text: string) => put(Buffer.from(`Content-Type: text/html; charset=utf-8\r\n\r\n${text}`));

  it('has all of the text, however many bytes its letters take', async () => {
    const { body } = await content.readDraft(await html(`<p>${'長い手紙'.repeat(500_000)}</p><p>End</p>`), 'ana');
    expect(body.endsWith('<p>End</p>')).toBe(true);
  });

  it('is refused where its end would be lost', async () => {
    const endless = await html('x'.repeat(25_000_000));
    await expect(content.readDraft(endless, 'ana')).rejects.toMatchObject({ reason: 'too_long' });
  });
});

describe('what is shown', () => {
  it('is read once for all who open it at the same time and later', async () => {
    const blob = await put(large);
    const [one, two] = await Promise.all([content.show(blob, 'ana'), content.show(blob, 'ana')]);
    expect(two).toBe(one);
    expect(await content.show(blob, 'ana')).toBe(one);
  });

  it('is no larger than its text for a text of blank lines, and is cut where it is too long', async () => {
    const blank = Buffer.from(`From: a@a.test\r\n\r\n${'\r\n'.repeat(3_000_000)}`);
    const { html } = await content.show(await put(blank), 'ana');
    expect(html.length).toBeLessThan(1_100_000);
    expect(html).toContain('This message is longer than what is shown here.');
  });
});

describe('people who read large messages', () => {
  const html = (number: number) => `<p>${number}</p>${'<p>more words here</p>'.repeat(5000)}`;

  it('take turns, however much one of them opens', async () => {
    const reader = openContentReader({ ...app.config, contentThreads: 1 }, app);
    const done: string[] = [];
    const note = (name: string, work: Promise<unknown>) => work.then(() => done.push(name));
    const blobs = await Promise.all(
      Array.from({ length: 4 }, (_, at) => put(Buffer.concat([large, Buffer.from(`${at}`)]))),
    );
    const flood = blobs.flatMap((blob) => [
      note('flood', reader.show(blob, 'user:1')),
      note('flood', reader.readFiles(blob, [1], 'user:1')),
      note('flood', reader.readDraft(blob, 'user:1')),
    ]);
    const [blob] = blobs;
    if (!blob) throw new Error('no message');
    const others = [
      note('other', reader.composeText(html(1), 'user:2')),
      note('other', reader.keepWriting(html(2), new Map(), 'user:3')),
      note('other', reader.readDraft(blob, 'user:4')),
      note('other', reader.searchText(blob, 'user:5')),
      note('other', reader.readStructure(blob, 'user:6')),
    ];
    await Promise.all([...flood, ...others]);
    // One of the flood was under way, and one more had its turn before the others
    expect(done.slice(0, 7).filter((name) => name === 'other')).toHaveLength(5);
    await reader.close();
  });
});

describe('what a person writes', () => {
  /** The shortest of three, since a collection of garbage may fall into any one of them. */
  async function usualTurn(work: () => Promise<unknown>): Promise<number> {
    const turns: number[] = [];
    for (let times = 0; times < 3; times++) turns.push(await longestTurn(work));
    return Math.min(...turns);
  }

  it.each([16_384, 32_768])('holds the event loop for no long time with %i characters of markup', async (length) => {
    const html = '<p>'.repeat(length / 3);
    // The engine compiles it for honest texts first, and anew for this one
    for (let times = 0; times < 6; times++) await content.keepWriting(html, new Map(), 'ana');
    await content.composeText(html, 'ana');
    expect(await usualTurn(() => content.keepWriting(html, new Map(), 'ana'))).toBeLessThan(60);
    expect(await usualTurn(() => content.composeText(html, 'ana'))).toBeLessThan(95);
  });
});

describe('composeText', () => {
  it('cleans a text and gives it in both forms, however long it is', async () => {
    for (const times of [1, 5000]) {
      const { html, text } = await content.composeText(
        '<p onclick="x()">Hi<script>x</script></p>'.repeat(times),
        'ana',
      );
      expect(html).toBe('<p>Hi</p>'.repeat(times));
      expect(text.startsWith('Hi')).toBe(true);
    }
  });

  it('quotes a plain text so that every mail program shows its lines', async () => {
    const quote = '<blockquote><div style="white-space: pre-wrap">Hi,\n\n  A   10</div></blockquote>';
    const { html, text } = await content.composeText(`<div>Bea wrote:</div>${quote}`, 'ana');
    expect(html).toContain('>Hi,<br /><br />\u00a0 A\u00a0\u00a0 10</div>');
    expect(text).toBe('Bea wrote:\n> Hi,\n>\n>   A   10');
  });
});
