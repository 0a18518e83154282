import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { AuditEvent } from '../models/audit-event.ts';
import { Signature } from '../models/signature.ts';
import type { App } from '../context/app.ts';
import { type Ctx, inTransaction, systemContext } from '../context/context.ts';
import { loadActor } from './load-actor.ts';
import { saveForm } from './save-form.ts';

let app: App;
let ana: Mailbox;
let ben: Mailbox;

beforeAll(async () => {
  app = await testApp();
  ana = await buildMailbox(app);
  ben = await buildMailbox(app, { user: { fname: 'Ben', lname: 'Boss' } });
});

async function contextOf({ user }: Mailbox): Promise<Ctx> {
  const loaded = await loadActor(systemContext(app), String(user.id), null);
  if (!loaded) throw new Error('no such person');
  return { ...systemContext(app), actor: loaded.actor };
}

async function addSignature(): Promise<string> {
  const owner = { companyId: String(ana.company.id), userId: String(ana.user.id) };
  const name = `${Date.now()} ${Math.random()}`;
  const made = await Signature.create({ ...owner, signatureName: name, nameKey: name, signatureBody: 'first' });
  return String(made.id);
}

async function change(ctx: Ctx, id: string, body: string, startedFrom?: number): Promise<string[]> {
  return await inTransaction(ctx, async (tx) => {
    const record = await Signature.findByPk(id, { transaction: tx.tx, lock: true, rejectOnEmpty: true });
    return await saveForm(tx, record, {
      changes: { signatureBody: body },
      fields: { signatureBody: 'signature_body' },
      startedFrom,
      entity: 'signature',
      action: 'signature:updated',
      present: () => ({ body: record.signatureBody }),
    });
  });
}

describe('saveForm', () => {
  it('names the person who changed the record last, and leaves an event in the company of the record', async () => {
    const id = await addSignature();
    expect(await change(await contextOf(ana), id, 'second', 1)).toEqual(['signature_body']);
    expect(await change(await contextOf(ben), id, 'third', 2)).toEqual(['signature_body']);
    const belated = change(await contextOf(ana), id, 'mine', 2);
    await expect(belated).rejects.toMatchObject({
      status: 409,
      code: 'changed_meanwhile',
      conflict: { by: 'Ben Boss', fields: ['signature_body'], current: { body: 'third' } },
    });
    const events = await AuditEvent.findAll({ where: { entity: 'signature', entityId: id }, order: [['id', 'ASC']] });
    expect(events.map(({ companyId, actorId }) => [companyId, actorId])).toEqual([
      [ana.company.id, ana.user.id],
      [ana.company.id, ben.user.id],
    ]);
  });

  it('names no person where the last change left no trace', async () => {
    const id = await addSignature();
    await change(await contextOf(ben), id, 'second', 1);
    await Signature.update({ version: 9 }, { where: { id } });
    const belated = change(await contextOf(ana), id, 'mine', 2);
    await expect(belated).rejects.toMatchObject({ conflict: { by: null, fields: [] } });
  });
});
