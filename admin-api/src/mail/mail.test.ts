import { readMailbox, writeMailbox } from '@selvage/core/mail/mailbox-text';
import { parseMessage } from '@selvage/core/mail/parse-message';
import { collectImages } from '@selvage/core/mailstore/composed-images';
import { readEntry } from '@selvage/core/mailstore/read-entry';
import { storeInbound } from '@selvage/core/mailstore/store-message';
import { Delivery } from '@selvage/core/models/delivery';
import { Draft } from '@selvage/core/models/draft';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { Message } from '@selvage/core/models/message';
import { systemContext } from '@selvage/core/context/context';
import type { EmailDto, EmailRowDto } from '@selvage/core/contracts/email';
import { beforeAll, describe, expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { type Answer, startTestServer, type TestServer } from '../test-server.ts';
import { showConversation } from './body-html.ts';

let server: TestServer;
let person: Mailbox;
let token: string;

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const html =
  '<p onclick="evil()">Hello</p><script>evil()</script><img src="cid:logo@remote.test"><img src="http://tracker.test/x.png">';

beforeAll(async () => {
  // A busy machine may need long from the call that sends to the one that takes back
  server = await startTestServer({ environment: { UNDO_MS: '60000' } });
  person = await buildMailbox(server.app);
  token = (await server.signIn(person.user.email, person.password)).token;
});

function relatedMessage(subject: string): Buffer {
  return Buffer.from(
    [
      `From: Ben <ben@remote.test>`,
      `To: ${person.user.email}`,
      `Subject: ${subject}`,
      `Message-ID: <${subject}@remote.test>`,
      'References: <root@remote.test>',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=m',
      '',
      '--m',
      'Content-Type: multipart/related; boundary=r',
      '',
      '--r',
      'Content-Type: text/html; charset=utf-8',
      '',
      html,
      '--r',
      'Content-Type: image/png; name=logo.png',
      'Content-ID: <logo@remote.test>',
      'Content-Disposition: inline',
      'Content-Transfer-Encoding: base64',
      '',
      picture.toString('base64'),
      '--r--',
      '--m',
      'Content-Type: text/html; name="p.html"',
      "Content-Disposition: attachment; filename*=UTF-8''pr%C3%BCfung.html",
      '',
      '<script>evil()</script>',
      '--m--',
      '',
    ].join('\r\n'),
  );
}

async function receive(subject: string): Promise<string> {
  const stored = await storeInbound(systemContext(server.app), {
    raw: relatedMessage(subject),
    envelopeFrom: 'ben@remote.test',
    recipients: [{ userId: String(person.user.id), companyId: String(person.company.id), address: person.user.email }],
    client: { address: '192.0.2.1', helo: 'remote.test', tls: false },
    authentication: null,
    traceHeaders: '',
    mailId: `mail-${subject}`,
  });
  return stored.entryIds[0] ?? '';
}

async function email(id: string): Promise<EmailDto> {
  return (await server.call('GET', `/mail/get/${id}`, { token })).body.data as EmailDto;
}

async function send(path: string, fields: Record<string, string>, files: [string, Blob][] = []): Promise<Answer> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const [name, file] of files) form.append('attachments', file, name);
  return await server.call('POST', path, { token, body: form });
}

/** Sends a message to these recipients and returns the sender's copy. */
async function sendTo(recipients: string[]): Promise<EmailDto> {
  const form = new FormData();
  for (const recipient of recipients) form.append('recipient_emails_to[]', recipient);
  form.append('subject', 'Names');
  const answer = await server.call('POST', '/mail/send', { token, body: form });
  expect(answer.body).toMatchObject({ success: true });
  return await email((answer.body.data as EmailDto)._id);
}

async function rawOf(entryId: string): Promise<string> {
  const item = await email(entryId);
  const message = await Message.findOne({ where: { messageIdHeader: item.message_id } });
  const chunks: Buffer[] = [];
  for await (const chunk of server.app.blobs.get(message?.blobKey ?? '')) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

describe('reading', () => {
  it('lists a received message, and answers its text sanitised, with its picture and its file', async () => {
    const id = await receive('read');
    const list = await server.call('GET', '/mail/get/sent/by_user?received_status=true', { token });
    expect((list.body.data as EmailRowDto[]).map((row) => row._id)).toContain(id);
    const item = await email(id);
    expect(item.body).not.toMatch(/script|onclick/);
    expect(item.hasRemoteContent).toBe(true);
    const inline = /src="(\/upload\/attachment\/[^"]+)"/.exec(item.body)?.[1] ?? '';
    const shown = await fetch(server.url + inline);
    expect(shown.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await shown.arrayBuffer())).toEqual(picture);
    const file = item.attachments.find(({ showData }) => showData);
    const saved = await fetch(server.url + (file?.file_path ?? ''));
    expect(saved.headers.get('content-disposition')).toContain("filename*=UTF-8''pr%C3%BCfung.html");
    expect(saved.headers.get('content-type')).toBe('application/octet-stream');
    expect(saved.headers.get('content-security-policy')).toContain('sandbox');
    expect(await saved.text()).toContain('<script>');
  });

  it('shows the text in a page without scripts, with remote pictures only when asked for', async () => {
    const { frame_path } = await email(await receive('frame'));
    const plain = await fetch(server.url + frame_path);
    const policy = plain.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain('sandbox');
    expect(policy).not.toContain('http: ');
    expect(policy).not.toMatch(/https:[ ;]/);
    expect(await plain.text()).not.toContain(' src="http://tracker.test');
    const asked = await fetch(`${server.url}${frame_path}?images=1`);
    expect(asked.headers.get('content-security-policy')).toBe(policy);
    expect(await asked.text()).toMatch(/ src="\/upload\/remote\/[\w.-]+\?url=http%3A%2F%2Ftracker\.test%2Fx\.png"/);
  });

  it('answers the words of a message without its markup', async () => {
    const id = await receive('as text');
    expect((await email(id)).look).toBe('simple');
    const answer = await server.call('GET', `/mail/get/${id}?as=text&replies=0`, { token });
    const { body, sheet, look, hasRemoteContent, attachments } = answer.body.data as EmailDto;
    expect({ sheet, look, hasRemoteContent }).toEqual({ sheet: '', look: 'plain', hasRemoteContent: false });
    expect(body).toMatch(/^<div style="white-space: pre-wrap">Hello[^<]*<\/div>$/);
    expect(attachments).toHaveLength(2);
    expect((await server.call('GET', `/mail/get/${id}?as=html`, { token })).status).toBe(422);
  });

  it('shows the newest messages of a large conversation whole, and of the others their first words', async () => {
    // relatedMessage: all of them refer to one root
    await receive('talk-1');
    await receive('talk-2');
    const ctx = systemContext(server.app);
    const item = await readEntry(ctx, { userId: String(person.user.id), entryId: await receive('talk-3') });
    const newest = item.conversation.at(-1)?.message.size ?? 0;
    const shown = await showConversation(ctx, item, { bytes: newest });
    expect(shown).toHaveLength(item.conversation.length + 1);
    const isWhole = ({ html }: { html: string }) => html.includes('<img');
    expect(shown.map(isWhole)).toEqual([true, ...Array(item.conversation.length - 1).fill(false), true]);
    expect(shown[1]?.html).toContain('Hello');
    expect((await showConversation(ctx, item)).every(isWhole)).toBe(true);
  });

  it('opens no signed path of a person whose company is inactive', async () => {
    const { frame_path } = await email(await receive('inactive'));
    await person.company.update({ activeStatus: false });
    expect((await fetch(server.url + frame_path)).status).toBe(404);
    await person.company.update({ activeStatus: true });
    expect((await fetch(server.url + frame_path)).status).toBe(200);
  });

  it('opens no signed path that was changed', async () => {
    const { frame_path } = await email(await receive('forged'));
    const [, , , tokenText = ''] = frame_path.split('/');
    const [user, entry, ...rest] = tokenText.split('.');
    const forged = [user, String(Number(entry) + 1), ...rest].join('.');
    expect((await fetch(`${server.url}/upload/frame/${forged}`)).status).toBe(404);
    expect((await fetch(`${server.url}/upload/attachment/${tokenText}`)).status).toBe(404);
  });
});

describe('sending', () => {
  it('commits the message with its file and holds its deliveries, and undo makes a draft of it', async () => {
    const file: [string, Blob] = ['Zürich.txt', new Blob(['hello'], { type: 'text/plain' })];
    const fields = {
      'recipient_emails_to[]': 'Ben <ben@remote.test>',
      subject: 'Sent',
      body: '<p>Hi</p><script>x</script>',
    };
    const answer = await send('/mail/send', fields, [file]);
    expect(answer.status).toBe(200);
    const { _id, undo_until } = answer.body.data as { _id: string; undo_until: string };
    expect(Date.parse(undo_until)).toBeGreaterThan(Date.now());
    const item = await email(_id);
    expect(item).toMatchObject({ subject: 'Sent', send_status: true, deliveries: [{ state: 'held' }] });
    expect(item.attachments[0]?.original_name).toBe('Zürich.txt');
    expect(await rawOf(_id)).not.toContain('<script>');
    const undone = await server.call('POST', `/mail/undo_send/${_id}`, { token });
    expect(undone.status).toBe(200);
    const { draft_id } = undone.body.data as { draft_id: string };
    const draft = (await server.call('GET', `/mail/draft/get/${draft_id}`, { token })).body.data as EmailDto;
    expect(draft.subject).toBe('Sent');
    expect(await (await fetch(server.url + (draft.attachments[0]?.file_path ?? ''))).text()).toBe('hello');
    expect(await Delivery.count({ where: { entryId: _id, state: 'cancelled' } })).toBe(1);
    const again = await send('/mail/send', { ...fields, draft_id });
    expect((await email((again.body.data as EmailDto)._id)).attachments).toHaveLength(1);
    expect((await server.call('GET', `/mail/draft/get/${draft_id}`, { token })).status).toBe(404);
  });

  it('sends a plain text as text alone, as it was written, and takes it back as one', async () => {
    const body = 'Hi <b>Ben</b>,\n\n  two  spaces &amp; “quotes”\n> old';
    const fields = { 'recipient_emails_to[]': 'ben@remote.test', subject: 'Plain', body, body_kind: 'text' };
    const { _id } = (await send('/mail/send', fields)).body.data as { _id: string };
    const raw = await rawOf(_id);
    expect(raw).toMatch(/^Content-Type: text\/plain; charset=utf-8\r$/m);
    expect(raw).not.toMatch(/multipart|text\/html/);
    const parsed = await parseMessage(Buffer.from(raw));
    expect([parsed.html, parsed.text?.trimEnd()]).toEqual([null, body]);
    const undone = await server.call('POST', `/mail/undo_send/${_id}`, { token });
    const { draft_id } = undone.body.data as { draft_id: string };
    const draft = (await server.call('GET', `/mail/draft/get/${draft_id}`, { token })).body.data as EmailDto;
    expect(draft.body).toMatch(/^<div style="white-space: ?pre-wrap">[^<]*<\/div>$/);
    expect(draft.body).toContain('Hi &lt;b&gt;Ben&lt;/b&gt;,\n\n  two  spaces &amp;amp; “quotes”\n&gt; old');
  });

  it('takes another kind of the same text for another message under one key', async () => {
    const key = `kind-${'k'.repeat(16)}`;
    const fields = { 'recipient_emails_to[]': 'ben@remote.test', body: 'x', idempotency_key: key };
    expect((await send('/mail/send', fields)).status).toBe(200);
    expect((await send('/mail/send', { ...fields, body_kind: 'text' })).body).toMatchObject({
      code: 'idempotency_key_reused',
    });
    expect((await send('/mail/send', { ...fields, body_kind: 'rtf' })).status).toBe(422);
  });

  it('sends a draft once when it is sent twice at the same moment', async () => {
    const ids = { companyId: String(person.company.id), userId: String(person.user.id) };
    const lists = { toList: [], ccList: [], bccList: [] };
    const draft = await Draft.create({ ...ids, ...lists, subject: 'Once' });
    const fields = {
      'recipient_emails_to[]': 'ben@remote.test',
      subject: 'Once',
      body: 'x',
      draft_id: String(draft.id),
    };
    const answers = await Promise.all([send('/mail/send', fields), send('/mail/send', fields)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
    expect(await Message.count({ where: { subject: 'Once' } })).toBe(1);
    expect(await Draft.findByPk(draft.id)).toBeNull();
  });

  it('looks for pictures in linear time, whatever the text is made of', async () => {
    const ctx = systemContext(server.app);
    const pasted = `<img src="data:image/png;base64,${picture.toString('base64')}">`;
    const startedAt = cpuTimeMs();
    for (const piece of ['<img ', '<img a="', `<img a='b="`, '<img a= ', `<img a="'" b='`]) {
      const html = `<p>x</p>${piece.repeat(150_000)}"'>${pasted}`;
      const images = await collectImages(ctx, { userId: String(person.user.id), html, quoted: () => null });
      expect(images.files).toHaveLength(1);
    }
    expect(cpuTimeMs() - startedAt).toBeLessThan(2000);
  });

  it.each([
    ['a picture of alt="Next > src=x"', (src: string) => `<img alt="Next > src=x" src="${src}">`],
    ["a picture of alt='Next > src=x'", (src: string) => `<img alt='Next > src=x' src='${src}'>`],
    ['a picture without quotes', (src: string) => `<img alt=Ann's src=${src} title='x'>`],
  ])('carries %s', async (_what, pictureFrom) => {
    const address = `data:image/png;base64,${picture.toString('base64')}`;
    const html = `<p>Look:</p>${pictureFrom(address)}`;
    const text = { userId: String(person.user.id), html, quoted: () => null };
    expect([...(await collectImages(systemContext(server.app), text)).contentIds.keys()]).toEqual([address]);
  });

  it('looks at the first pictures of a text alone, and at the first places of one that is repeated', async () => {
    const ctx = systemContext(server.app);
    const pasted = `<img src="data:image/png;base64,${picture.toString('base64')}">`;
    const collect = (html: string) => collectImages(ctx, { userId: String(person.user.id), html, quoted: () => null });
    const others = (count: number) => Array.from({ length: count }, (_, at) => `<img src=${at}>`).join('');
    expect((await collect(`${others(99)}${pasted.repeat(2)}`)).files).toHaveLength(1);
    expect((await collect(`${others(100)}${pasted}`)).files).toEqual([]);
    const long = [`${others(300_000)}${pasted}`, `${'<img src=a>'.repeat(400_000)}${pasted}`];
    const startedAt = cpuTimeMs();
    for (const html of long) expect((await collect(html)).files).toEqual([]);
    expect(cpuTimeMs() - startedAt).toBeLessThan(150);
  });

  it('answers within the conversation and carries the pictures it quotes', async () => {
    const originalEmailId = await receive('question');
    const { body } = await email(originalEmailId);
    const fields = {
      originalEmailId,
      is_reply: 'true',
      'recipient_emails_to[0]': 'ben@remote.test',
      subject: 'Re',
      body,
    };
    const answer = await send('/mail/replyOrForward', fields);
    expect(answer.status).toBe(200);
    const raw = await rawOf((answer.body.data as EmailDto)._id);
    expect(raw).toMatch(/^In-Reply-To: <question@remote.test>/im);
    expect(raw).toMatch(/^References: <root@remote.test>\s+<question@remote.test>/im);
    expect(raw).toMatch(/^Content-ID: </im);
    expect(raw).not.toContain('/upload/attachment/');
  });

  it('sends a reply whose quoted picture no longer exists', async () => {
    const { body } = await email(await receive('shown'));
    const quoted = await receive('quoted');
    const other = (await email(quoted)).body;
    await server.call('PUT', '/mail/status_change', { token, body: { email_id: [quoted], delete_status: true } });
    const fields = { 'recipient_emails_to[]': 'ben@remote.test', subject: 'Late', body: body + other };
    expect((await send('/mail/send', fields)).status).toBe(200);
  });

  it('forwards the files of the original except those left out', async () => {
    const originalEmailId = await receive('forward');
    const file = (await email(originalEmailId)).attachments.find(({ showData }) => showData);
    const fields = {
      originalEmailId,
      is_reply: 'false',
      'recipient_emails_to[]': 'ben@remote.test',
      subject: 'Fwd',
      body: 'x',
    };
    const whole = await email(((await send('/mail/replyOrForward', fields)).body.data as EmailDto)._id);
    expect(whole.isForwarded).toBe(true);
    expect(whole.attachments.map(({ original_name }) => original_name)).toEqual(['prüfung.html']);
    const without = await send('/mail/replyOrForward', { ...fields, 'without_attachments[]': file?._id ?? '' });
    expect((await email((without.body.data as EmailDto)._id)).attachments).toEqual([]);
  });

  it('forwards the pictures of the text as files where they are asked for', async () => {
    const originalEmailId = await receive('pictures');
    const logo = (await email(originalEmailId)).attachments.find(({ showData }) => !showData);
    const fields = { originalEmailId, 'recipient_emails_to[]': 'ben@remote.test', body: 'x', with_pictures: 'true' };
    const whole = await email(((await send('/mail/replyOrForward', fields)).body.data as EmailDto)._id);
    expect(whole.attachments.map((one) => [one.original_name, one.showData])).toEqual([
      ['logo.png', true],
      ['prüfung.html', true],
    ]);
    const draft = await send('/mail/draft/save', { originalEmailId, with_pictures: 'true', body: 'x' });
    expect(draft.body.data).toMatchObject({ attachments: [{ original_name: 'logo.png' }, {}] });
    const without = await send('/mail/replyOrForward', { ...fields, 'without_attachments[]': logo?._id ?? '' });
    expect((await email((without.body.data as EmailDto)._id)).attachments).toHaveLength(1);
  });

  it('names the recipients in the header, whatever characters their names have, and delivers to them alone', async () => {
    const names = [
      'Priya Raman',
      'Raman, Priya',
      'eve@evil.test, Eve',
      'The "Loom" \\ Ltd.',
      'प्रिया 🧶',
      `${'long '.repeat(50)}<`,
    ];
    const mailboxes = names.map((name, index) => ({ name, address: `r${index}@remote.test` }));
    const sent = await sendTo(mailboxes.map(writeMailbox));
    expect(sent.recipient_emails_to.map(readMailbox)).toEqual(mailboxes);
    expect(sent.deliveries.map(({ recipient }) => recipient).toSorted()).toEqual(
      mailboxes.map(({ address }) => address),
    );
  });

  it('lets no recipient name add a line to the header', async () => {
    const evil = 'Priya\r\nBcc: eve@evil.test\r\n\r\nbody';
    for (const name of [evil, `${evil}\0`, 'a\nb', 'a\rb\u2028c', '=?utf-8?q?x=0D=0ABcc:_eve=40evil.test?=']) {
      const sent = await sendTo([writeMailbox({ name, address: 'ben@remote.test' })]);
      expect(sent.deliveries.map(({ recipient }) => recipient)).toEqual(['ben@remote.test']);
      const [head = ''] = (await rawOf(sent._id)).split('\r\n\r\n');
      expect(head).not.toMatch(/^(?:bcc|b|c)\b/im);
      expect(head).toMatch(/^To: .*ben@remote\.test/im);
    }
  });

  it.each([
    'Ben ben@remote.test',
    'ben@remote.test eve@evil.test',
    'eve@evil.test, Ben <ben@remote.test>',
    'Eve <eve@evil.test> <ben@remote.test>',
    'Ben <ben @remote.test>',
    'Ben <>',
    '“ben@remote.test”',
    '•ben@remote.test',
  ])('refuses %j, which is not one mailbox, and sends nothing', async (text) => {
    const answer = await send('/mail/send', { 'recipient_emails_to[]': text, subject: 'x', body: 'x' });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual({ 'recipient_emails_to.0': `${text} is not an email address` });
  });

  it('sends a draft without the removed files, as the reply that it is', async () => {
    const originalEmailId = await receive('draft-files');
    const recipients = { 'recipient_emails_to[]': 'ben@remote.test', subject: 'Files', body: 'x' };
    const files: [string, Blob][] = ['keep.txt', 'drop.txt'].map((name) => [name, new Blob([name])]);
    const first = await send('/mail/replyOrForward', { ...recipients, originalEmailId, is_reply: 'true' }, files);
    const undone = await server.call('POST', `/mail/undo_send/${(first.body.data as EmailDto)._id}`, { token });
    const { draft_id } = undone.body.data as { draft_id: string };
    const draft = (await server.call('GET', `/mail/draft/get/${draft_id}`, { token })).body.data as EmailDto;
    const dropped = draft.attachments.find(({ original_name }) => original_name === 'drop.txt')?._id ?? '';
    const again = await send('/mail/send', { ...recipients, draft_id, 'without_attachments[]': dropped });
    const sent = await email((again.body.data as EmailDto)._id);
    expect(sent.attachments.map(({ original_name }) => original_name)).toEqual(['keep.txt']);
    expect(await rawOf(sent._id)).toMatch(/^In-Reply-To: <draft-files@remote.test>/im);
    expect((await server.call('GET', `/mail/draft/get/${draft_id}`, { token })).status).toBe(404);
  });

  it('sends a draft as the reply that it is when the message that it answers is gone', async () => {
    const originalEmailId = await receive('answered-and-gone');
    const recipients = { 'recipient_emails_to[]': 'ben@remote.test', subject: 'Gone', body: 'x' };
    const first = await send('/mail/replyOrForward', { ...recipients, originalEmailId, is_reply: 'true' });
    expect(await MailboxEntry.findByPk(originalEmailId)).toMatchObject({ answeredStatus: true });
    const undone = await server.call('POST', `/mail/undo_send/${(first.body.data as EmailDto)._id}`, { token });
    const { draft_id } = undone.body.data as { draft_id: string };
    const gone = { email_id: [originalEmailId], delete_status: true };
    expect((await server.call('PUT', '/mail/status_change', { token, body: gone })).status).toBe(200);
    const again = await send('/mail/send', { ...recipients, draft_id });
    const raw = await rawOf((again.body.data as EmailDto)._id);
    expect(raw).toMatch(/^In-Reply-To: <answered-and-gone@remote.test>/im);
    expect(raw).toMatch(/^References: <root@remote.test> <answered-and-gone@remote.test>/im);
  });

  it('changes flags of several messages, all or none', async () => {
    const ids = [await receive('flag-1'), await receive('flag-2')];
    const change = (email_id: string[]) =>
      server.call('PUT', '/mail/status_change', { token, body: { email_id, star_status: true } });
    expect((await change([...ids, '999999999'])).status).toBe(404);
    expect((await email(ids[0] ?? '')).star_status).toBe(false);
    expect((await change(ids)).body.data).toEqual({ changed: 2 });
    expect((await email(ids[1] ?? '')).star_status).toBe(true);
  });
});
