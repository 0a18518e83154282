import { readdir } from 'node:fs/promises';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { longestTurn } from '../../../tests/support/event-loop.ts';
import { startTestServer, type TestServer } from '../test-server.ts';
import { groupFields } from './form-fields.ts';
import { uploadDirectory } from './uploads.ts';

let server: TestServer;
let ana: Mailbox;
let token: string;

beforeAll(async () => {
  server = await startTestServer();
  ana = await buildMailbox(server.app);
  token = (await server.signIn(ana.user.email, ana.password)).token;
});

const get = (path: string) => server.call('GET', path, { token });

describe('bad input', () => {
  it('answers malformed JSON with 400, a wrong content type with 415, too many bytes with 413', async () => {
    const post = (body: string, type = 'application/json') =>
      server.call('POST', '/user/login', { body, headers: { 'content-type': type } });
    expect((await post('{"email":')).status).toBe(400);
    expect((await post('email=a', 'application/x-www-form-urlencoded')).status).toBe(415);
    expect((await post(JSON.stringify({ email: 'x'.repeat(1_100_000) }))).status).toBe(413);
  });

  it('refuses text that is not UTF-8, which would be kept with wrong letters', async () => {
    const text = JSON.stringify({ name: 'Müller', conditions: { from: 'ann' }, actions: { star: true } });
    const create = async (bytes: Buffer) => {
      const response = await fetch(`${server.url}/api/v1/mailsetting/filters/create`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: new Uint8Array(bytes),
      });
      return [response.status, ((await response.json()) as { code?: string }).code];
    };
    expect(await create(Buffer.from(text, 'latin1'))).toEqual([400, 'malformed_body']);
    expect(await create(Buffer.from(`\ufeff${text}`))).toEqual([200, undefined]);
  });

  describe('in a form of several parts', () => {
    const field = 'Content-Disposition: form-data; name="fname"';
    const typed = (type: string) => `Content-Type: ${type}`;
    const encoded = (encoding: string) => `Content-Transfer-Encoding: ${encoding}`;

    async function save(headers: string[], value: Buffer) {
      const head = Buffer.from(['--part', ...headers, '', ''].join('\r\n'), 'latin1');
      const response = await fetch(`${server.url}/api/v1/user/update/${ana.user.id}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=part' },
        body: new Uint8Array(Buffer.concat([head, value, Buffer.from('\r\n--part--\r\n')])),
      });
      const { code, message } = (await response.json()) as { code?: string; message: string };
      return { status: response.status, code, message, name: (await ana.user.reload()).fname };
    }

    it.each<[string, string[], Buffer]>([
      ['a browser', [field], Buffer.from('Zoë')],
      ['.NET', [typed('text/plain; charset=utf-8'), field], Buffer.from('Zoë')],
      ['Java', [field, typed('text/plain; charset=UTF-8'), encoded('8bit')], Buffer.from('Zoë')],
      ['a program of old', [field, encoded('7bit')], Buffer.from('Zoe')],
      ['a program that encodes', [field, encoded('base64')], Buffer.from(Buffer.from('Zoë').toString('base64'))],
    ])('reads a text as %s sends it', async (_name, headers, value) => {
      await ana.user.update({ fname: 'Ana' });
      expect(await save(headers, value)).toMatchObject({
        status: 200,
        name: value.toString() === 'Zoe' ? 'Zoe' : 'Zoë',
      });
    });

    it('refuses text and names that are not UTF-8', async () => {
      await ana.user.update({ fname: 'Ana' });
      const refused = { status: 400, message: 'The form has text that is not UTF-8.', name: 'Ana' };
      expect(await save([field], Buffer.from('Zoë', 'latin1'))).toMatchObject(refused);
      expect(await save([field, typed('text/plain; charset=iso-8859-1')], Buffer.from('Zoë', 'latin1'))).toMatchObject(
        refused,
      );
      const file = 'Content-Disposition: form-data; name="avatar"; filename="Zoë.png"';
      expect(await save([file], Buffer.from('a picture'))).toMatchObject(refused);
    });

    it('refuses a part in quoted-printable', async () => {
      const answer = await save([field, encoded('quoted-printable')], Buffer.from('Zo=C3=AB'));
      expect(answer).toMatchObject({ status: 415, message: 'Send the parts of the form as they are, or in base64.' });
    });

    it('takes a file without a type, as scripts send it', async () => {
      const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
        .png()
        .toBuffer();
      await save(['Content-Disposition: form-data; name="avatar"; filename="me.png"'], picture);
      expect((await ana.user.reload()).avatar).toMatch(/^\/upload\/avatars\//);
    });
  });

  it('refuses what would take long to take apart, and lets others go on meanwhile', async () => {
    const send = (body: string) => server.call('POST', '/mail/send', { token, body });
    const held = await longestTurn(async () => {
      const { status, body } = await send(`{"recipient_emails_to":[${'[],'.repeat(5_000_000)}[]]}`);
      expect([status, body['message']]).toEqual([413, 'The request has too many values.']);
    });
    expect(held).toBeLessThan(100);
    // As many signs in a text are no values
    expect((await send(`{"email_body":"${'\\",[{:'.repeat(1_000_000)}"}`)).status).toBe(422);
    const packed = { token, body: '{}', headers: { 'content-encoding': 'gzip' } };
    expect((await server.call('POST', '/mail/send', packed)).status).toBe(415);
  });

  it('refuses values within values within values', async () => {
    const send = (list: string) =>
      server.call('POST', '/user/confirm', { token, body: `{"response":{"list":${list}}}` });
    const nested = (depth: number, inside = '') => `${'['.repeat(depth)}${inside}${']'.repeat(depth)}`;
    for (const list of [nested(31), nested(24_000), nested(24_000, '"\\ud83d"')]) {
      const { status, body } = await send(list);
      expect([status, body['message']]).toEqual([413, 'The request is nested too deeply.']);
    }
    // Lists side by side are not deep, and brackets in a text are no lists
    for (const list of [nested(30), nested(1, `${'[],'.repeat(1000)}[]`), nested(1, `"${'['.repeat(1000)}"`)]) {
      expect((await send(list)).body['code']).toBe('two_factor_off');
    }
  });

  it('answers unknown paths and methods in the envelope', async () => {
    const unknown = await get('/no/such/call');
    expect(unknown.status).toBe(404);
    expect(unknown.body).toMatchObject({ success: false, code: 'path_not_found' });
    const refused = await server.call('DELETE', '/captcha');
    expect([refused.status, refused.body['code']]).toEqual([405, 'method_not_allowed']);
    // RFC 9110 15.5.6
    expect(refused.headers.get('allow')).toBe('HEAD, GET');
  });

  it('names the field of a page that cannot exist, and answers an empty page beyond the last', async () => {
    const zero = await get('/mail/get/sent/by_user?page=0');
    expect(zero.status).toBe(422);
    expect(zero.body.errors).toHaveProperty('page');
    const far = await get('/mail/get/sent/by_user?page=1000000000');
    expect(far.status).toBe(200);
    expect(far.body.data).toEqual([]);
    expect((await get('/mail/get/sent/by_user?limit=101&page=x')).body.errors).toEqual({
      page: 'This must be a number',
      limit: 'This is at most 100',
    });
  });

  it.each(['0x10', '1e3', '%205%20', '+5', '1.0', '5.', '', '٣', '1,2', 'Infinity', '9'.repeat(16)])(
    'takes %j for no number of a page',
    async (text) => {
      const { status, body } = await get(`/mail/get/sent/by_user?page=${text}`);
      expect([status, body.errors]).toEqual([422, { page: 'This must be a number' }]);
    },
  );

  it('says in plain words what is missing, and what a field takes', async () => {
    const body = { conditions: { from: ['ann'] }, actions: { star: 'yes' } };
    const answer = await server.call('POST', '/mailsetting/filters/create', { token, body });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual({
      name: 'Please enter a name',
      'conditions.from': 'This must be text',
      'actions.star': 'This must be true or false',
    });
    const reply = await server.call('POST', '/mail/replyOrForward', { token, body: {} });
    expect(reply.body.errors).toMatchObject({ originalEmailId: 'This is missing' });
  });

  it('does not treat an unknown word as a forward', async () => {
    const body = { originalEmailId: '1', recipient_emails_to: ['a@remote.test'], is_reply: 'perhaps' };
    const answer = await server.call('POST', '/mail/replyOrForward', { token, body });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual({ is_reply: 'is_reply must be true or false' });
  });

  it('refuses an invalid id with 422 and an unknown one with 404', async () => {
    expect((await get('/mail/get/1%20OR%201=1')).status).toBe(422);
    expect((await get('/mail/get/9223372036854775808')).status).toBe(422);
    expect((await get('/mail/get/999999999')).status).toBe(404);
    expect((await get('/mail/get/%ff')).status).toBeLessThan(500);
  });

  it('takes half a character, as a browser spells a text that was cut inside an emoji', async () => {
    const body = `{"name":"Wool \\ud83e","conditions":{"from":"\\uD83E\\uDDF5 bo\\ud83e"},"actions":{"star":true}}`;
    const answer = await server.call('POST', '/mailsetting/filters/create', { token, body });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ name: 'Wool \ufffd', conditions: { from: '\u{1f9f5} bo\ufffd' } });
  });

  it('names the file that is too large, and leaves no upload behind', async () => {
    const form = new FormData();
    form.append('recipient_emails_to[]', 'a@remote.test');
    form.append('attachments', new Blob([new Uint8Array(1_100_000)], { type: 'image/png' }), 'holiday.png');
    const answer = await server.call('POST', '/mail/send', { token, body: form });
    expect(answer.status).toBe(413);
    expect(answer.body['message']).toContain('holiday.png');
    expect(answer.body['message']).toContain('1 MB');
    expect(await readdir(uploadDirectory(server.app.config))).toEqual([]);
  });

  it('names each recipient that is not an address', async () => {
    const form = new FormData();
    form.append('recipient_emails_to[0]', 'a@remote.test');
    form.append('recipient_emails_to[1]', 'not an address');
    const answer = await server.call('POST', '/mail/send', { token, body: form });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toHaveProperty(['recipient_emails_to.1']);
  });

  it('keeps its error bodies bland and carries a request id', async () => {
    const answer = await get('/no/such/call');
    expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  });
});

describe('groupFields', () => {
  it('makes lists of repeated, indexed and single names', () => {
    const fields = { 'to[]': ['a', 'b'], 'cc[1]': 'y', 'cc[0]': 'x', bcc: 'z', subject: 's' };
    expect(groupFields(fields, new Set(['bcc']))).toEqual({ to: ['a', 'b'], cc: ['x', 'y'], bcc: ['z'], subject: 's' });
  });
});
