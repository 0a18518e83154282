import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { startTestApp, testEnvironment } from '../../../tests/support/test-app.ts';
import type { App } from '../context/app.ts';
import { type Ctx, systemContext } from '../context/context.ts';
import { ImageSender } from '../models/image-sender.ts';
import { restoreCompany } from './restore-company.ts';
import { archiveCompany, eraseCompany } from './test-archives.ts';

let app: App;
let ctx: Ctx;

beforeAll(async () => {
  app = await startTestApp(await testEnvironment({ ARCHIVE_SPARE_BYTES: '0' }));
  ctx = systemContext(app);
});

/** Archives, erases and restores the company of a person. Answers its new id. */
async function restoreGone(person: Mailbox): Promise<string> {
  const path = await archiveCompany(ctx, person);
  await eraseCompany(ctx, person);
  return (await restoreCompany(ctx, { path })).companyId;
}

const ownerOf = ({ company, user }: Mailbox) => ({ companyId: String(company.id), userId: String(user.id) });

describe('what a person has again after the restore of their company', { timeout: 120_000 }, () => {
  it('are senders whose pictures they see, however long the From is', async () => {
    const ana = await buildMailbox(app);
    const address = `${'a'.repeat(300)}@sender.test`;
    await ImageSender.create({ ...ownerOf(ana), address });
    const companyId = await restoreGone(ana);
    expect(await ImageSender.findAll({ where: { companyId } })).toMatchObject([{ address }]);
  });
});
