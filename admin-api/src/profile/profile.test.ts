import { createHash } from 'node:crypto';
import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { encodePassword } from '@selvage/core/contracts/fields';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { User } from '@selvage/core/models/user';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { type Answer, startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
let ana: Mailbox;
let token: string;

beforeAll(async () => {
  server = await startTestServer();
  ana = await buildMailbox(server.app);
  token = (await server.signIn(ana.user.email, ana.password)).token;
});

async function save(fields: Record<string, string>, files: [string, Buffer, string][] = []): Promise<Answer> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const [field, bytes, name] of files) form.append(field, new Blob([new Uint8Array(bytes)]), name);
  return await server.call('PUT', `/user/update/${ana.user.id}`, { token, body: form });
}

const upload = (bytes: Buffer, name = 'me.png') => save({}, [['avatar', bytes, name]]);
const avatarOf = (answer: Answer) => (answer.body.data as CurrentUserDto).avatar ?? '';
const fetchAvatar = (path: string) => fetch(`${server.url}${path}`);
const blank = (background: string, width = 300, height = 200) =>
  sharp({ create: { width, height, channels: 3, background }, limitInputPixels: false });

describe('the own profile', () => {
  it('is changed field by field', async () => {
    const fields = { fname: 'Anna', lname: 'Test', phone_number: '0123456789', country: 'India', bio: 'Hi\nthere' };
    const saved = await save({ ...fields, designation: 'Weaver', email: ana.user.email });
    expect(saved.status).toBe(200);
    expect(saved.body.data).toMatchObject({ ...fields, designation: 'Weaver', email: ana.user.email });
    const cleared = await save({ phone_number: '', bio: '' });
    expect(cleared.body.data).toMatchObject({ fname: 'Anna', phone_number: null, bio: null, country: 'India' });
    const events = await AuditEvent.findAll({ where: { actorId: ana.user.id, action: 'profile:updated' } });
    expect(events[1]).toMatchObject({
      entityId: ana.user.id,
      details: { fields: ['phone_number', 'bio'], version: 3 },
    });
  });

  it('that two windows edit at once is saved by one of them, and nothing is overwritten', async () => {
    const { version, _id } = (await server.call('GET', '/user/info', { token })).body.data as CurrentUserDto;
    // Changes outside of forms do not count: a login, a code, the last use of a mail program
    await ana.user.update({ twoFactorLastStep: 7 });
    const started = { version: String(version) };
    const answers = await Promise.all([save({ fname: 'One', ...started }), save({ fname: 'Two', ...started })]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const saved = answers.find(({ status }) => status === 200)?.body.data as CurrentUserDto;
    expect(saved.version).toBe(version + 1);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({
      code: 'changed_meanwhile',
      conflict: {
        by: `${saved.fname} Test`,
        fields: ['fname'],
        current: { _id, fname: saved.fname, version: saved.version },
      },
    });
    const person = await User.findByPk(ana.user.id);
    expect(person).toMatchObject({ fname: saved.fname, version: saved.version });
    expect((await save({ fname: 'Anna', version: String(saved.version) })).status).toBe(200);
    expect((await save({ fname: 'x', version: '1e3' })).body.errors).toEqual({ version: 'Not a version' });
  });

  it('takes the names that a new person may have, and no others', async () => {
    const names = { fname: 'Łukasz', lname: "d'Arc-Żółć" };
    expect((await save(names)).body.data).toMatchObject(names);
    const refused = await save({ fname: 'Ann "CEO" <ceo@bank.test>', lname: 'two\r\nlines', country: 'a\tb' });
    const oneLine = 'One line without control characters';
    expect([refused.status, refused.body.errors]).toEqual([422, { lname: oneLine, country: oneLine }]);
    expect((await save({ fname: 'Ann "CEO"' })).body.errors).toEqual({
      fname: 'First name should only contain letters, spaces, hyphens, apostrophes and full stops',
    });
    expect((await save({ fname: 'Anna', lname: 'Test' })).status).toBe(200);
  });

  it('names each field that is wrong', async () => {
    const wrong = await save({ fname: ' ', phone_number: '12345', bio: 'x'.repeat(1001) });
    expect(wrong.status).toBe(422);
    expect(wrong.body.errors).toMatchObject({
      fname: 'First name is required',
      phone_number: 'Phone number must be exactly 10 digits',
      bio: expect.any(String),
    });
    expect((await save({ phone_number: 'phone' })).body.errors).toEqual({
      phone_number: 'Phone number must be a number',
    });
  });

  it('counts the end of a line as one sign, though a form sends it as two', async () => {
    const bio = `${'x\n'.repeat(499)}xx`;
    expect((await save({ bio })).body.data).toMatchObject({ bio });
    expect((await save({ bio: `${bio}xx` })).body.errors).toHaveProperty('bio');
  });

  it('keeps its address, recovery address, domain, role, company and password', async () => {
    expect((await save({ email: 'boss@host.test' })).body.errors).toHaveProperty('email');
    expect((await save({ email: '' })).body.errors).toEqual({ email: 'Email is required' });
    const present = { recovery_email: ana.user.recoveryEmail ?? '', domain_id: String(ana.user.domainId) };
    expect((await save({ ...present, fname: 'Anna' })).status).toBe(200);
    expect((await save({ recovery_email: 'eve@remote.test' })).body.errors).toEqual({
      recovery_email: 'The recovery email is changed in the account settings',
    });
    expect((await save({ domain_id: '0' })).body.errors).toEqual({
      domain_id: 'The domain is part of the address and cannot be changed',
    });
    const password = encodePassword('another pass phrase');
    const before = await User.findByPk(ana.user.id, { raw: true });
    const refused = { role_id: '1', active_status: 'false', loginAllowed: 'false', password };
    for (const [name, value] of Object.entries(refused)) {
      const answer = await save({ [name]: value });
      expect([answer.status, answer.body['code']]).toEqual([409, 'own_account']);
    }
    await save({ company_id: '1', password_hash: 'x', twoFactorStatus: 'true', active_status: 'true' });
    const after = await User.findByPk(ana.user.id, { raw: true });
    expect({ ...after, updatedAt: null }).toEqual({ ...before, updatedAt: null });
  });

  it('of another person is for administrators, in the same company or another', async () => {
    for (const overrides of [{ tenant: ana }, {}]) {
      const other = await buildMailbox(server.app, overrides);
      const body = { fname: 'Mallory' };
      const answer = await server.call('PUT', `/user/update/${other.user.id}`, { token, body });
      expect([answer.status, answer.body['code']]).toEqual([403, 'forbidden']);
      expect((await other.user.reload()).fname).toBe('Ana');
    }
  });
});

describe('an avatar', () => {
  it.each(['png', 'jpeg', 'webp', 'gif'] as const)(
    'in %s is drawn anew as a small webp that nothing else rides on',
    async (format) => {
      const original = await blank('teal')
        .withExif({ IFD0: { Copyright: 'secret place' } })
        .toFormat(format)
        .toBuffer();
      const path = avatarOf(await upload(original, `me.${format}`));
      expect(path).toMatch(/^\/upload\/avatars\/[0-9a-f]{64}\.webp$/);
      const answer = await fetchAvatar(path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('image/webp');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('cache-control')).toContain('immutable');
      expect(answer.headers.get('content-security-policy')).toContain('sandbox');
      const bytes = Buffer.from(await answer.arrayBuffer());
      expect(path).toContain(createHash('sha256').update(bytes).digest('hex'));
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 256, height: 256 });
      expect(bytes.includes('secret place')).toBe(false);
    },
  );

  it('is rotated as its camera recorded', async () => {
    const left = await sharp({ create: { width: 400, height: 800, channels: 3, background: 'black' } })
      .composite([
        { input: { create: { width: 400, height: 400, channels: 3, background: 'white' } }, top: 0, left: 0 },
      ])
      .withMetadata({ orientation: 3 })
      .jpeg()
      .toBuffer();
    const path = avatarOf(await upload(left));
    const { data, info } = await sharp(await (await fetchAvatar(path)).arrayBuffer())
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(data[0]).toBeLessThan(40);
    expect(data[(info.height - 1) * info.width * info.channels]).toBeGreaterThan(215);
  });

  it('with a web page appended loses the page', async () => {
    const page = Buffer.from('<html><script>alert(document.cookie)</script></html>');
    const polyglot = Buffer.concat([await blank('navy').png().toBuffer(), page]);
    const answer = await fetchAvatar(avatarOf(await upload(polyglot)));
    expect(Buffer.from(await answer.arrayBuffer()).includes('script')).toBe(false);
  });

  it('is refused when it is a vector picture, a document, truncated, or missing', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
    const png = await blank('red').png().toBuffer();
    const tiff = await blank('red').tiff().toBuffer();
    const bad = [
      Buffer.from(svg),
      Buffer.from(`<?xml version="1.0"?>${svg}`),
      Buffer.from('%PDF-1.7\n'),
      Buffer.from('<html>GIF89a</html>'),
      Buffer.from('GIF89a/*<script>*/'),
      png.subarray(0, 60),
      tiff,
      Buffer.alloc(0),
    ];
    for (const [index, bytes] of bad.entries()) {
      const answer = await upload(bytes, 'me.png');
      expect([index, answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([index, 422, ['avatar']]);
    }
  });

  it('is refused when it would take too much memory decoded, or is over a megabyte', async () => {
    const bomb = await blank('red', 9000, 9000).png({ compressionLevel: 9 }).toBuffer();
    expect(bomb.length).toBeLessThan(1_048_576);
    expect((await upload(bomb)).body.errors?.['avatar']).toMatch(/pixels/);
    const large = await upload(Buffer.alloc(2_097_152, 7), 'holiday.png');
    expect(large.status).toBe(413);
    expect(large.body['message']).toMatch(/"holiday\.png".* 1 MB/);
    expect((await save({}, [['attachments', await blank('red').png().toBuffer(), 'x.png']])).status).toBe(422);
  });

  it('exists as long as a person has it', async () => {
    const picture = await blank('olive').png().toBuffer();
    const path = avatarOf(await upload(picture));
    const key = /[0-9a-f]{64}/.exec(path)?.[0] ?? '';
    const twin = await buildMailbox(server.app, { user: { avatar: path } });
    expect(avatarOf(await save({ avatar: '' }))).toBe('');
    expect((await fetchAvatar(path)).status).toBe(200);
    await upload(picture);
    await twin.user.update({ avatar: null });
    await upload(await blank('pink').png().toBuffer());
    expect((await fetchAvatar(path)).status).toBe(404);
    expect(await server.app.blobs.has(key)).toBe(false);
  });

  it('that came with a change from an older version is not kept', async () => {
    const picture = await blank('plum').png().toBuffer();
    const path = avatarOf(await upload(picture));
    await save({ avatar: '' });
    const form = new FormData();
    form.append('version', '1');
    form.append('avatar', new Blob([new Uint8Array(picture)]), 'me.png');
    expect((await server.call('PUT', `/user/update/${ana.user.id}`, { token, body: form })).status).toBe(409);
    expect(await server.app.blobs.has(/[0-9a-f]{64}/.exec(path)?.[0] ?? '')).toBe(false);
  });

  it('has no address that opens anything else', async () => {
    const stored = await server.app.blobs.put(Buffer.from('a person’s mail'));
    const names = [`${stored.key}.webp`, 'x.webp', '..%2f..%2fsecrets', `${stored.key}.html`, ''];
    for (const name of names)
      expect([name, (await fetchAvatar(`/upload/avatars/${name}`)).status]).toEqual([name, 404]);
  });
});
