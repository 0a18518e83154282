import type { Conflict } from '@selvage/core/contracts/endpoint';
import type { SignatureDto } from '@selvage/core/contracts/signatures';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { Signature } from '@selvage/core/models/signature';
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

const call = (method: string, path: string, body?: unknown) =>
  server.call(method, `/mailsetting/signature${path}`, { token, ...(body ? { body } : {}) });
const create = (signature_name: string, signature_body = '<p>Ana</p>') =>
  call('POST', '/create', { signature_name, signature_body });
const dto = (answer: Answer) => answer.body.data as SignatureDto;
const list = async () => (await call('GET', '/get/all')).body.data as SignatureDto[];

async function theirSignature(): Promise<string> {
  const ben = await buildMailbox(server.app, { tenant: ana });
  const owner = { userId: String(ben.user.id), companyId: String(ben.company.id) };
  const names = { signatureName: 'Theirs', nameKey: 'theirs' };
  return String((await Signature.create({ ...owner, ...names, signatureBody: '<p>Ben</p>' })).id);
}

describe('signatures', () => {
  it('are saved, renamed, listed by name and deleted', async () => {
    const work = dto(await create('Work'));
    const home = dto(await create('home', '<p>Bye, <b>Ana</b></p>'));
    expect(work).toMatchObject({ signature_name: 'Work', signature_body: '<p>Ana</p>' });
    expect((await list()).map(({ signature_name: name }) => name)).toEqual(['home', 'Work']);
    const renamed = await call('PATCH', `/update/${work._id}`, { signature_name: 'Office' });
    expect(dto(renamed)).toMatchObject({ signature_name: 'Office', signature_body: '<p>Ana</p>' });
    for (const { _id } of [work, home]) expect((await call('DELETE', `/delete/${_id}`)).status).toBe(200);
    expect(await list()).toEqual([]);
    const actions = await AuditEvent.findAll({
      where: { actorId: ana.user.id, entity: 'signature' },
      order: [['id', 'ASC']],
    });
    expect(actions.map(({ action }) => action)).toEqual([
      'signature:created',
      'signature:created',
      'signature:updated',
      'signature:removed',
      'signature:removed',
    ]);
  });

  it('need names that differ in more than capitals or the form of their letters', async () => {
    const first = dto(await create('Büro'));
    for (const taken of ['büro', 'BÜRO', 'ＢÜＲＯ', 'Bu\u0308ro', ' Büro ']) {
      const answer = await create(taken);
      expect([taken, answer.status]).toEqual([taken, 409]);
      expect(answer.body.errors).toEqual({ signature_name: 'A signature with this name already exists' });
    }
    const other = dto(await create('Other'));
    expect((await call('PATCH', `/update/${other._id}`, { signature_name: 'büro' })).status).toBe(409);
    expect((await call('PATCH', `/update/${first._id}`, { signature_name: 'BÜRO' })).status).toBe(200);
    // A name of another person is free, and a name that grows when it is compared still fits
    await theirSignature();
    expect((await create('theirs')).status).toBe(200);
    expect((await create('\ufdfa'.repeat(100))).status).toBe(200);
  });

  it('lose scripts, handlers and frames, and must have something left', async () => {
    const hostile =
      '<p onclick="alert(1)">Ana<script>alert(2)</script><img src=x onerror=alert(3)><a href="javascript:alert(4)">x</a>' +
      '<iframe src="https://evil.test"></iframe><svg onload=alert(5)></svg><form action="https://evil.test"><input></form></p>';
    const { signature_body: body } = dto(await create('Hostile', hostile));
    expect(body).toContain('Ana');
    expect(body).not.toMatch(/script|alert|onclick|onerror|iframe|svg|form|input/i);
    for (const empty of ['<p> </p>', '<script>alert(1)</script>', '<br><div>&nbsp;</div>', '   ']) {
      const answer = await create('Empty', empty);
      expect([empty, answer.body.errors]).toEqual([empty, { signature_body: 'Please enter signature content' }]);
    }
    const picture = '<img src="data:image/png;base64,iVBORw0KGgo=">';
    expect((await create('Logo', picture)).status).toBe(200);
    expect((await create('Huge', 'x'.repeat(200_001))).status).toBe(422);
    expect((await create('', '<p>Ana</p>')).body.errors).toEqual({ signature_name: 'Please enter a signature name' });
  });

  it("are chosen for new mail and for replies from the caller's own, until they are deleted", async () => {
    const mine = dto(await create('Mine'))._id;
    const prefer = (body: object) => call('PUT', '/update/preferences', body);
    const chosen = async () => {
      const { signatureNewId, signatureReplyId } = await ana.user.reload();
      return [signatureNewId, signatureReplyId].map((id) => (id === null ? null : String(id)));
    };
    await prefer({ signature_new_emails_use: mine, signature_reply_forward_emails_use: mine });
    expect(await chosen()).toEqual([mine, mine]);
    await prefer({ signature_reply_forward_emails_use: '' });
    expect(await chosen()).toEqual([mine, null]);
    expect((await prefer({ signature_new_emails_use: await theirSignature() })).status).toBe(404);
    expect((await prefer({ signature_new_emails_use: '999999999' })).status).toBe(404);
    expect(await chosen()).toEqual([mine, null]);
    await call('DELETE', `/delete/${mine}`);
    expect(await chosen()).toEqual([null, null]);
  });

  it('that two tabs edit at once are saved by one of them, and the other is told what changed', async () => {
    const opened = dto(await create('Two tabs', '<p>first</p>'));
    const edits = ['one', 'two', 'three', 'four'].map((word) => ({ signature_body: `<p>${word}</p>`, version: 1 }));
    const answers = await Promise.all(edits.map((edit) => call('PATCH', `/update/${opened._id}`, edit)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    const saved = answers.findIndex(({ status }) => status === 200);
    const [current] = (await list()).filter(({ _id }) => _id === opened._id);
    expect(current).toMatchObject({ signature_body: edits[saved]?.signature_body, version: 2 });
    for (const answer of answers.filter(({ status }) => status === 409)) {
      expect(answer.body).toMatchObject({ success: false, code: 'changed_meanwhile' });
      expect(answer.body['conflict']).toEqual({
        by: 'Ana Test',
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        fields: ['signature_body'],
        current,
      });
    }
    const again = await call('PATCH', `/update/${opened._id}`, { signature_body: '<p>mine</p>', version: 2 });
    expect(dto(again)).toMatchObject({ signature_body: '<p>mine</p>', version: 3 });
  });

  it('say which fields changed since a form was opened, over several changes', async () => {
    const { _id } = dto(await create('Fields', '<p>first</p>'));
    const change = (body: object) => call('PATCH', `/update/${_id}`, body);
    const fieldsSince = async (version: number) => {
      const { status, body } = await change({ signature_name: 'Mine', version });
      return [status, (body['conflict'] as Conflict).fields];
    };
    await change({ signature_name: 'Fields 2', signature_body: '<p>first</p>', version: 1 });
    await change({ signature_body: '<p>second</p>' });
    expect(await fieldsSince(1)).toEqual([409, ['signature_body', 'signature_name']]);
    expect(await fieldsSince(2)).toEqual([409, ['signature_body']]);
    expect(await fieldsSince(7)).toEqual([409, []]);
    // An unchanged value is no change
    expect(dto(await change({ signature_body: '<p>second</p>', version: 3 })).version).toBe(3);
    expect((await change({ signature_name: 'Mine' })).status).toBe(200);
    for (const version of [0, -1, 1.5, 'one', null]) {
      expect((await change({ signature_name: 'x', version })).body.errors).toEqual({ version: 'Not a version' });
    }
  });

  it('that are chosen already leave no trace when they are chosen again', async () => {
    const { _id } = dto(await create('Chosen'));
    const choose = async (id: string | null) => {
      expect((await call('PUT', '/update/preferences', { signature_new_emails_use: id })).status).toBe(200);
      return await AuditEvent.count({ where: { actorId: ana.user.id, action: 'signature:chosen' } });
    };
    const before = await choose(null);
    expect([await choose(_id), await choose(_id), await choose(null)]).toEqual([before + 1, before + 1, before + 2]);
  });

  it('of another person answer 404', async () => {
    const theirs = await theirSignature();
    expect((await call('PATCH', `/update/${theirs}`, { signature_name: 'Taken over' })).status).toBe(404);
    expect((await call('DELETE', `/delete/${theirs}`)).status).toBe(404);
    expect(await Signature.findByPk(theirs)).toMatchObject({ signatureName: 'Theirs' });
  });

  it('are limited in their length together', async () => {
    const long = `<p>${'Loom '.repeat(39_000)}</p>`;
    const made = [];
    for (let number = 1; number <= 5; number += 1) made.push(dto(await create(`Long ${number}`, long)));
    const text = 'Your signatures are too long together. Shorten this one, or delete another one.';
    expect((await create('Long 6', long)).body).toMatchObject({ errors: { signature_body: text } });
    const path = `/update/${made[0]?._id}`;
    expect((await call('PATCH', path, { signature_body: '<p>Short</p>' })).status).toBe(200);
    const { _id } = dto(await create('Long 6', long));
    expect((await call('PATCH', path, { signature_body: long })).status).toBe(422);
    for (const id of [...made.map((one) => one._id), _id]) {
      expect((await call('DELETE', `/delete/${id}`)).status).toBe(200);
    }
  });

  it('are limited in number', async () => {
    const owner = { userId: String(ana.user.id), companyId: String(ana.company.id) };
    await Signature.bulkCreate(
      Array.from({ length: 50 }, (_, number) => ({
        ...owner,
        signatureName: `filler ${number}`,
        nameKey: `filler ${number}`,
        signatureBody: '<p>x</p>',
      })),
    );
    expect((await create('One more')).body).toMatchObject({ code: 'too_many_signatures' });
  });
});
