import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { inTransaction, systemContext } from '../context/context.ts';
import { changeRows } from '../database/run-sql.ts';
import { Message } from '../models/message.ts';
import { changeStatus } from './change-status.ts';
import { areRemovalsHeld, releaseRemovalHold, renewRemovalHold, takeRemovalHold } from './removal-hold.ts';
import { removeBlobIfUnreferenced } from './remove-blob.ts';
import { removeMessageIfUnreferenced } from './remove-unreferenced.ts';
import { receive } from './test-messages.ts';

const free = 'UPDATE removal_hold SET held_until = NULL, claim_id = NULL';

async function setUp() {
  const app = await testApp();
  const ctx = systemContext(app);
  const claimId = randomBytes(12).toString('hex');
  return { app, ctx, claimId, sql: (statement: string) => changeRows(ctx, statement, []) };
}

afterEach(async () => {
  const { sql } = await setUp();
  await sql(free);
});

describe('a hold of removals', () => {
  it('keeps a message that no person has and bytes that no row needs, until it is released', async () => {
    const { app, ctx, claimId } = await setUp();
    const ana = await buildMailbox(app);
    const { messageId, entryIds } = await receive(ctx, [ana]);
    await changeStatus(ctx, { userId: String(ana.user.id), entryIds, flags: { deleteStatus: true } });
    const { blobKey } = await Message.findByPk(messageId, { rejectOnEmpty: true });
    const { key } = await app.blobs.put(randomBytes(50));

    expect(await takeRemovalHold(ctx, claimId)).toBe(true);
    expect(await removeMessageIfUnreferenced(ctx, messageId)).toBe('held');
    expect(await removeBlobIfUnreferenced(ctx, key)).toBe('held');
    expect(await Promise.all([blobKey, key].map((one) => app.blobs.has(one)))).toEqual([true, true]);
    expect(await Message.count({ where: { id: messageId } })).toBe(1);

    await releaseRemovalHold(ctx, claimId);
    expect(await removeMessageIfUnreferenced(ctx, messageId)).toBe('removed');
    expect(await removeBlobIfUnreferenced(ctx, key)).toBe('removed');
  });

  it('belongs to one backup alone, and can be renewed until it has run out', async () => {
    const { ctx, claimId, sql } = await setUp();
    expect(await takeRemovalHold(ctx, claimId)).toBe(true);
    expect(await takeRemovalHold(ctx, 'another')).toBe(false);
    await releaseRemovalHold(ctx, 'another');
    const renewals = Array.from({ length: 200 }, () => renewRemovalHold(ctx, claimId));
    expect(await Promise.all(renewals), 'several in one millisecond').not.toContain(false);
    await sql('UPDATE removal_hold SET held_until = UTC_TIMESTAMP(3)');
    expect(await renewRemovalHold(ctx, claimId)).toBe(false);
    expect(await inTransaction(ctx, areRemovalsHeld)).toBe(false);
    expect(await takeRemovalHold(ctx, 'another')).toBe(true);
  });

  it('goes on when the clock of the database is put back a little, and is lost when it is put back a lot', async () => {
    const { ctx, claimId, sql } = await setUp();
    expect(await takeRemovalHold(ctx, claimId)).toBe(true);
    // As much ahead as the clock was put back
    await sql('UPDATE removal_hold SET held_until = TIMESTAMPADD(SECOND, 60, held_until)');
    expect(await inTransaction(ctx, areRemovalsHeld)).toBe(true);
    expect(await takeRemovalHold(ctx, 'another')).toBe(false);
    expect(await renewRemovalHold(ctx, claimId)).toBe(true);
    await sql('UPDATE removal_hold SET held_until = TIMESTAMPADD(HOUR, 1, held_until)');
    expect(await inTransaction(ctx, areRemovalsHeld)).toBe(false);
    expect(await renewRemovalHold(ctx, claimId)).toBe(false);
  });

  it('does not count when a clock that was wrong wrote it', async () => {
    const { ctx, claimId, sql } = await setUp();
    await sql('UPDATE removal_hold SET held_until = TIMESTAMPADD(YEAR, 1, UTC_TIMESTAMP(3))');
    expect(await inTransaction(ctx, areRemovalsHeld)).toBe(false);
    expect(await takeRemovalHold(ctx, claimId)).toBe(true);
    expect(await inTransaction(ctx, areRemovalsHeld)).toBe(true);
  });

  it('begins after the removals that are under way', async () => {
    const { ctx, claimId } = await setUp();
    const order: string[] = [];
    let taking: Promise<unknown> | undefined;
    await inTransaction(ctx, async (tx) => {
      expect(await areRemovalsHeld(tx)).toBe(false);
      taking = takeRemovalHold(ctx, claimId).then(() => order.push('held'));
      // Long enough for a statement that does not wait
      for (let asked = 0; asked < 20; asked += 1) await changeRows(ctx, 'DO 1', []);
      order.push('removed');
    });
    await taking;
    expect(order).toEqual(['removed', 'held']);
  });
});
