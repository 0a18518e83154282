import { describe, expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { explaining } from '../../../tests/support/explain.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { systemContext } from '../context/context.ts';
import { Delivery } from '../models/delivery.ts';
import { Message } from '../models/message.ts';
import { OutboxRow } from '../models/outbox-row.ts';
import { changeStatus } from './change-status.ts';
import { receive } from './test-messages.ts';
import { removeUnusedMessages } from './unused-messages.ts';

async function setUp() {
  const app = await testApp();
  const ctx = systemContext(app);
  const mailbox = await buildMailbox(app);
  const { messageId, entryIds } = await receive(ctx, [mailbox]);
  const { blobKey } = await Message.findByPk(messageId, { rejectOnEmpty: true });
  const remove = () => changeStatus(ctx, { userId: String(mailbox.user.id), entryIds, flags: { deleteStatus: true } });
  return { app, ctx, mailbox, messageId, blobKey, remove };
}

describe('removeUnusedMessages', () => {
  it('removes what was deleted when Redis lost its jobs before they ran', async () => {
    const { app, ctx, messageId, blobKey, remove } = await setUp();
    await remove();
    await app.relay.idle();
    // The job was announced, and its row says so
    expect(await OutboxRow.count({ where: { dedupeId: `remove-${messageId}`, relayedAt: null } })).toBe(0);
    await app.redis.flushdb();
    expect(await app.relay.announceDue({ olderThanMs: 0 })).toBe(0);
    expect(await removeUnusedMessages(ctx, '0')).toEqual({ last: null, removed: 1 });
    expect(await Message.findByPk(messageId)).toBeNull();
    expect(await app.blobs.has(blobKey)).toBe(false);
  });

  it('leaves what a person has, and what is still to be delivered', async () => {
    const { app, ctx, messageId, remove } = await setUp();
    expect(await removeUnusedMessages(ctx, '0')).toEqual({ last: null, removed: 0 });
    await Delivery.update({ state: 'queued' }, { where: { messageId } });
    await remove();
    expect(await removeUnusedMessages(ctx, '0')).toEqual({ last: null, removed: 0 });
    await Delivery.update({ state: 'relayed' }, { where: { messageId } });
    expect(await removeUnusedMessages({ ...ctx, app }, '0')).toEqual({ last: null, removed: 1 });
  });

  it('goes on behind the last message of a step', async () => {
    const { app, ctx, messageId, remove } = await setUp();
    await app.db.query(
      `INSERT INTO messages (mail_id, blob_key, size, trace_headers, thread_key, envelope_from, to_list, cc_list, created_at, updated_at)
       SELECT CONCAT('many-', seq), blob_key, size, '', thread_key, '', to_list, cc_list, created_at, updated_at
         FROM messages JOIN seq_1_to_1200 WHERE id = '${messageId}'`,
    );
    await app.db.query(
      `INSERT INTO mailbox_entries (company_id, user_id, message_id, folder, thread_key, arrived_at, created_at, updated_at)
       SELECT e.company_id, e.user_id, m.id, 'inbox', m.thread_key, m.created_at, m.created_at, m.updated_at
         FROM messages m JOIN mailbox_entries e ON e.message_id = '${messageId}' WHERE m.mail_id LIKE 'many-%'`,
    );
    await remove();
    const [newest] = await Message.findAll({ order: [['id', 'DESC']], limit: 1 });
    await app.db.query(`UPDATE mailbox_entries SET folder = 'gone' WHERE message_id = '${newest?.id}'`);
    const first = await removeUnusedMessages(ctx, '0');
    expect(first.removed).toBe(1);
    expect(first.last).not.toBeNull();
    expect(await removeUnusedMessages(ctx, first.last ?? '')).toEqual({ last: null, removed: 1 });
  });

  it('reads by indexes', async () => {
    const { app } = await setUp();
    await app.db.query('ANALYZE TABLE messages, mailbox_entries, deliveries, copied_entries');
    const { ctx, plans } = explaining(app);
    await removeUnusedMessages(ctx, '0');
    expect(plans[0]?.map(({ table, key }) => [table, key])).toEqual([
      ['m', 'PRIMARY'],
      ['c', 'copied_entries_message'],
      ['d', 'deliveries_message'],
      ['e', 'entries_message'],
    ]);
    for (const step of plans[0] ?? []) expect(step.Extra).not.toContain('filesort');
  });
});
