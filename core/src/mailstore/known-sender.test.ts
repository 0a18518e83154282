import { beforeAll, describe, expect, it } from 'vitest';
import { explaining } from '../../../tests/support/explain.ts';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import type { App } from '../context/app.ts';
import { type Ctx, inTransaction, systemContext } from '../context/context.ts';
import { Folder } from '../models/folder.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { changeEntries, type EntryChange } from './change-entries.ts';
import { lockEntries } from './change-status.ts';
import { hasTrustedSite } from './known-sender.ts';
import { snooze } from './snooze.ts';
import { storeInbound } from './store-message.ts';
import { inboundOf, rawMessage } from './test-messages.ts';

let app: App;
let ctx: Ctx;

beforeAll(async () => {
  app = await testApp();
  ctx = systemContext(app);
});

const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);

interface Received {
  mailbox: Mailbox;
  userId: string;
  entryId: string;
}

/** A person who has had proved mail of sender.test for a month. */
async function receive(): Promise<Received> {
  const mailbox = await buildMailbox(app);
  const authentication = {
    spf: { result: 'pass', domain: 'sender.test' },
    dkim: [],
    dmarc: { result: 'pass', policy: null, domain: 'sender.test' },
    arc: null,
    header: '',
    temporaryFailure: false,
  };
  const { entryIds } = await storeInbound(ctx, { ...inboundOf(rawMessage(), [mailbox]), authentication });
  const entryId = entryIds[0] ?? '';
  await MailboxEntry.update({ arrivedAt: daysAgo(30) }, { where: { id: entryId } });
  return { mailbox, userId: String(mailbox.user.id), entryId };
}

async function makeFolders({ mailbox: { user, company } }: Received, count: number): Promise<string[]> {
  const owner = { companyId: String(company.id), userId: String(user.id), role: null, uidValidity: 1 };
  const names = Array.from({ length: count }, (_, at) => `Bills ${at}`);
  const made = await Folder.bulkCreate(names.map((name) => ({ ...owner, name, nameKey: name.toLowerCase() })));
  return made.map(({ id }) => String(id));
}

async function move({ userId, entryId, mailbox }: Received, change: EntryChange): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const entries = await lockEntries(tx, userId, [entryId]);
    await changeEntries(tx, { companyId: String(mailbox.company.id), userId, entries }, change);
  });
}

const isTrusted = ({ userId }: Received, reading = ctx) =>
  hasTrustedSite(reading, { userId, site: 'sender.test', before: new Date() });

describe('hasTrustedSite', () => {
  it.each<[string, boolean, (received: Received) => Promise<unknown>]>([
    ['the inbox', true, async () => undefined],
    ['the archive', true, (received) => move(received, { archiveStatus: true })],
    [
      'a folder of one’s own',
      true,
      async (received) => move(received, { ownFolderId: (await makeFolders(received, 1))[0] ?? '' }),
    ],
    [
      'Snoozed',
      true,
      ({ userId, entryId }) => snooze(ctx, { userId, entryIds: [entryId], until: new Date(Date.now() + 3_600_000) }),
    ],
    ['Junk', false, (received) => move(received, { junkStatus: true })],
    ['the trash', false, (received) => move(received, { trashStatus: true })],
  ])('says whether earlier proved mail in %s counts: %s', async (_where, isFound, put) => {
    const received = await receive();
    await put(received);
    expect(await isTrusted(received)).toBe(isFound);
  });

  it('passes over mail of the last days, and a person who has none', async () => {
    const received = await receive();
    await MailboxEntry.update({ arrivedAt: daysAgo(6) }, { where: { id: received.entryId } });
    expect(await isTrusted(received)).toBe(false);
    expect(await isTrusted({ ...received, userId: String((await buildMailbox(app)).user.id) })).toBe(false);
  });

  it('looks into a hundred folders by their indexes', async () => {
    const received = await receive();
    const folderIds = await makeFolders(received, 100);
    await move(received, { ownFolderId: folderIds.at(-1) ?? '' });
    const { ctx: watched, plans } = explaining(app);
    expect(await isTrusted(received, watched)).toBe(true);
    expect(plans).toHaveLength(2);
    const steps = plans.flat().filter(({ table }) => table === 'mailbox_entries');
    // An archive and a Snoozed that nothing came into have no rows
    expect(steps).toHaveLength(folderIds.length + 1);
    expect(new Set(steps.map(({ key }) => key))).toEqual(new Set(['entries_page']));
  });
});
