import { systemContext } from '@selvage/core/context/context';
import { receive } from '@selvage/core/mailstore/test-messages';
import { expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { until } from '../../../tests/support/until.ts';
import { startChangeIndexer } from './index-changes.ts';

it('indexes a mailbox soon after mail has come, once for all worker processes', { timeout: 180_000 }, async () => {
  const app = await testApp();
  const mailbox = await buildMailbox(app);
  const userId = String(mailbox.user.id);
  const indexers = [startChangeIndexer(app), startChangeIndexer(app)];
  try {
    const state = () => app.search.run('state', { userId });
    // A notice that comes before the indexers listen is lost, which only costs time
    await until('the mailbox is indexed', async () => {
      await receive(systemContext(app), [mailbox]);
      return (await state()).entries > 0;
    });
    const { entries } = await state();
    await receive(systemContext(app), [mailbox]);
    await until('what came later is indexed as well', async () => (await state()).entries > entries);
    expect((await state()).isBuilt).toBe(true);
  } finally {
    await Promise.all(indexers.map((indexer) => indexer.close()));
  }
});
