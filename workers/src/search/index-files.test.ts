import { systemContext } from '@selvage/core/context/context';
import { officeFile } from '@selvage/core/mail/test-files';
import { type NamedFile, receive, receiveFiles } from '@selvage/core/mailstore/test-messages';
import { searchMailbox } from '@selvage/core/search/search-mailbox';
import { expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { buildCostlyPdf } from '../../../tests/support/pdf.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { until } from '../../../tests/support/until.ts';
import { startChangeIndexer } from './index-changes.ts';
import { startFileIndexer } from './index-files.ts';

const offer: NamedFile = [
  'offer.docx',
  Buffer.from(officeFile({ 'word/document.xml': '<w:p><w:t>treadle</w:t></w:p>' })),
];
const costlyMails = 20;

it('lets no search and no other mail wait for files that are costly to read', { timeout: 180_000 }, async () => {
  const app = await testApp();
  const ctx = systemContext(app);
  const [attacked, other] = [await buildMailbox(app), await buildMailbox(app)];
  const state = ({ user }: Mailbox) => app.search.run('state', { userId: String(user.id) });
  const timed = async ({ user }: Mailbox, text: string): Promise<{ total: number; ms: number }> => {
    const startedAt = performance.now();
    const { total } = await searchMailbox(ctx, { userId: String(user.id), text, page: 1, limit: 10 });
    return { total, ms: performance.now() - startedAt };
  };
  for (let number = 0; number < costlyMails; number += 1) {
    await receiveFiles(ctx, [attacked], [[`costly${number}.pdf`, buildCostlyPdf(number)]]);
  }
  const indexers = [startChangeIndexer(app), startFileIndexer(app)];
  try {
    await until('the attacked mailbox is indexed without its files', async () => {
      await receive(ctx, [attacked], { subject: 'Invoice' });
      const { isBuilt, hasUnreadFiles } = await state(attacked);
      return isBuilt && hasUnreadFiles;
    });
    await receiveFiles(ctx, [other], [offer], 'Offer');
    // Both are indexed by the question itself, while a file is read
    const [invoice, names, found] = await Promise.all([
      timed(attacked, 'invoice'),
      timed(attacked, 'filename:costly7'),
      timed(other, 'offer'),
    ]);
    expect([invoice.total > 0, names.total, found.total]).toEqual([true, 1, 1]);
    // All files of a mailbox take twenty seconds and more, whatever the machine
    expect(Math.max(invoice.ms, names.ms, found.ms)).toBeLessThan(10_000);
    await until('the file of the other mailbox is read', async () => (await timed(other, 'treadle')).total === 1);
    // Twenty costly files take longer than that: the mailboxes took turns
    expect((await state(attacked)).hasUnreadFiles).toBe(true);
  } finally {
    await Promise.all(indexers.map((indexer) => indexer.close()));
  }
});
