import { systemContext } from '@selvage/core/context/context';
import { receive } from '@selvage/core/mailstore/test-messages';
import { MailCopy } from '@selvage/core/models/mail-copy';
import { OutboxRow } from '@selvage/core/models/outbox-row';
import { expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { copyMailboxFor } from './copy-mailbox.ts';

/** The process does not end. */
const running = new AbortController().signal;

type Job = Parameters<ReturnType<typeof copyMailboxFor>['run']>[1];

it('asks for the rest of a copy when the time of a run is over, and for nothing when it is done', async () => {
  const app = await testApp();
  const owner = await buildMailbox(app);
  const viewer = await buildMailbox(app, { tenant: owner });
  await receive(systemContext(app), [owner]);
  const { id } = await MailCopy.create({
    companyId: String(owner.company.id),
    ownerId: String(owner.user.id),
    ownerEmail: owner.user.email,
    ownerName: 'O',
    viewerId: String(viewer.user.id),
    viewerEmail: viewer.user.email,
    viewerName: 'V',
    giverName: 'A',
    state: 'copying',
    cursors: {},
  });
  const copyId = String(id);
  const job = { id: '1', data: { payload: { copyId }, causeId: null } } as unknown as Job;
  const asked = () => OutboxRow.count({ where: { dedupeId: `copy-mailbox-${copyId}` } });
  const { run } = copyMailboxFor(0);
  await run(app, job, running);
  expect([(await MailCopy.findByPk(id))?.state, await asked()]).toEqual(['copying', 1]);
  await run(app, job, running);
  expect([(await MailCopy.findByPk(id))?.state, await asked()]).toEqual(['ready', 1]);
});
