import { expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { until } from '../../../tests/support/until.ts';
import { inTransaction, systemContext } from '../context/context.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import { Label } from '../models/label.ts';
import { applyToInbox } from './apply-filter.ts';
import { lockEntries } from './change-status.ts';
import { verifyTotals } from './verify-totals.ts';
import { receive } from './test-messages.ts';

it('says that the label of the filter is gone when it is deleted while the filter is applied', async () => {
  const ctx = systemContext(await testApp());
  const mailbox = await buildMailbox(ctx.app);
  const owner = { companyId: String(mailbox.company.id), userId: String(mailbox.user.id) };
  const { userId } = owner;
  const { entryIds } = await receive(ctx, [mailbox]);
  const { id } = await Label.create({ ...owner, name: 'Due', nameKey: 'due', colour: 'red' });
  const walk = { userId, conditions: { from: 'bea@sender.test' }, until: '9999999999' };
  const waits = async (): Promise<boolean> => {
    const rows = await readRows(
      ctx,
      `SELECT id FROM information_schema.PROCESSLIST
        WHERE db = DATABASE() AND id <> CONNECTION_ID() AND info LIKE '%mailbox_entries%FOR UPDATE'`,
      [],
    );
    return rows.length > 0;
  };
  const applied = await inTransaction(ctx, async (tx) => {
    await lockEntries(tx, userId, entryIds);
    const outcome = applyToInbox(ctx, { ...walk, actions: { label: String(id), star: true } }).catch(
      (error: unknown) => error,
    );
    await until('the filter waits for the message', waits);
    // As the job does at the end, with no message left that has the label
    await changeRows(ctx, 'DELETE FROM labels WHERE id = ?', [id]);
    return { outcome };
  });
  expect(await applied.outcome).toMatchObject({ code: 'label_not_found' });
  expect(await verifyTotals(ctx, userId)).toBe(true);
  // The next call does the rest, as when mail arrives
  expect(await applyToInbox(ctx, { ...walk, actions: { label: String(id), star: true } })).toMatchObject({
    matching: 1,
  });
});
