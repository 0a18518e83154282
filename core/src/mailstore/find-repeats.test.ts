import { QueryTypes } from 'sequelize';
import { expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { systemContext } from '../context/context.ts';
import { statements } from '../database/migrations/20261127-0300-one-repeat.ts';
import { Message } from '../models/message.ts';
import { storeInbound } from './store-message.ts';
import { inboundOf, rawMessage, receive } from './test-messages.ts';

const DAY_MS = 86_400_000;

it('recognises a repeat of what was stored before the upgrade, also of a message that was stored twice', async () => {
  const app = await testApp();
  const ctx = systemContext(app);
  const ana = await buildMailbox(app);
  const raw = rawMessage();
  const earlier = await receive(ctx, [ana]);
  const old = await receive(ctx, [ana]);
  const { messageId } = await storeInbound(ctx, inboundOf(raw, [ana]));
  const { dedupeKey } = await Message.findByPk(messageId, { rejectOnEmpty: true });

  // As it was before: without the day, and not unique
  await app.db.query('ALTER TABLE messages DROP KEY messages_dedupe, ADD KEY messages_dedupe (dedupe_key)');
  const before = `${dedupeKey?.slice(8)}01234567`;
  await Message.update({ dedupeKey: before }, { where: { id: [earlier.messageId, messageId] } });
  const createdAt = new Date(Date.now() - 3 * DAY_MS);
  await Message.update({ dedupeKey: before, createdAt }, { where: { id: old.messageId }, silent: true });

  for (const statement of statements) await app.db.query(statement);
  const keys = await app.db.query<{ id: string; dedupe_key: string | null }>(
    'SELECT id, dedupe_key FROM messages WHERE id IN (?, ?, ?) ORDER BY id',
    { replacements: [earlier.messageId, old.messageId, messageId], type: QueryTypes.SELECT },
  );
  expect(keys.map((row) => row.dedupe_key)).toEqual([null, null, dedupeKey]);
  expect(await storeInbound(ctx, inboundOf(raw, [ana]))).toMatchObject({ messageId, duplicate: true });
});
