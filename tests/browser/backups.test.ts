import { systemContext } from '@selvage/core/context/context';
import { receive } from '@selvage/core/mailstore/test-messages';
import { changeStatus } from '@selvage/core/mailstore/change-status';
import { MailCopy } from '@selvage/core/models/mail-copy';
import { UserPermission } from '@selvage/core/models/user-permission';
import { submitMessage } from '@selvage/core/outbound/submit-message';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openTab } from '../support/browser.ts';
import { buildCompany, buildMailbox, type Mailbox } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { startWebHost, type TestHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: TestHost;
let admin: Mailbox;
let owner: Mailbox;
let viewer: Mailbox;
let page: Page;
let theirs: Page;
let ownTab: Page;

const longSubject = 'A subject that is longer than a card has room for';

beforeAll(async () => {
  host = await startWebHost();
  const ctx = systemContext(host.app);
  const tenant = await buildCompany(host.app, { name: 'Loom and Daughters' });
  admin = await buildMailbox(host.app, { tenant, roleNumber: 1, user: { fname: 'Asha', lname: 'Menon' } });
  owner = await buildMailbox(host.app, { tenant, local: 'ola', user: { fname: 'Ola', lname: 'Owner' } });
  viewer = await buildMailbox(host.app, { tenant, local: 'vic', user: { fname: 'Vic', lname: 'Reader' } });
  for (let number = 1; number <= 11; number += 1) {
    const { entryIds } = await receive(ctx, [owner], { subject: `Bale ${number}`, body: `Words of ${number}.` });
    const flags = { readStatus: true };
    if (number % 2) await changeStatus(ctx, { userId: String(owner.user.id), entryIds, flags });
  }
  await receive(ctx, [owner], { subject: longSubject, body: 'Words '.repeat(40) });
  await submitMessage(ctx, {
    user: owner.user,
    door: 'web',
    bcc: ['eve@remote.test'],
    raw: Buffer.from(
      `From: Ola Owner <${owner.user.email}>\r\nTo: Bob <bob@remote.test>\r\nSubject: Our answer\r\n\r\nSent words.\r\n`,
    ),
  });
  page = await openTab(host, admin);
  theirs = await openTab(host, viewer);
  ownTab = await openTab(host, owner);
});

async function giveFromList(): Promise<void> {
  await page.goto(`${host.url}/dashboard/user`);
  await page.getByRole('button', { name: 'Actions for Ola Owner' }).click();
  await page.getByRole('menuitem', { name: 'Backup', exact: true }).click();
  await page.getByRole('dialog', { name: 'Backup user data' }).waitFor();
}

async function pick(name: string): Promise<void> {
  const box = page.getByRole('dialog').getByRole('combobox', { name: 'Who gets the backup' });
  await box.click();
  await box.press('ControlOrMeta+a');
  await box.pressSequentially(name);
  await page.getByRole('option', { name: new RegExp(name) }).click();
}

const mailbox = () => `${host.url}/dashboard/backup/backup_emails?email=${encodeURIComponent(owner.user.email)}`;
const cards = () => theirs.getByRole('tabpanel').getByRole('listitem');

describe('a backup of a mailbox', () => {
  it('is given by an administrator, who sees when it is ready and that the reader lacks the permission', async () => {
    await giveFromList();
    expect(await problemsInAllLooks(page, 'backups-give')).toEqual({});
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Back up' }).click();
    await dialog.getByText('Email is required.').waitFor();
    await pick('Ola Owner');
    await dialog.getByRole('button', { name: 'Back up' }).click();
    await dialog.getByText('Choose another person than the owner.').first().waitFor();
    await pick('Vic Reader');
    await dialog.getByRole('button', { name: 'Back up' }).click();
    await dialog.getByText(`The backup is ready. ${viewer.user.email} finds it under Backup.`).waitFor();
    await dialog.getByText('may not open backups yet').waitFor();
    expect(await problemsInAllLooks(page, 'backups-ready')).toEqual({});
    await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  });

  it('is found under Backup by its reader, once they have the permission', async () => {
    await expect.poll(() => theirs.getByRole('link', { name: 'Backup', exact: true }).count()).toBe(0);
    const flags = { canView: true, canCreate: false, canEdit: false, canDelete: true };
    const { id: userId, companyId } = viewer.user;
    await UserPermission.create({ companyId, userId: String(userId), model: 'backup', ...flags });
    await theirs.reload();
    await theirs.getByRole('link', { name: 'Backup', exact: true }).click();
    await theirs.getByRole('heading', { name: 'Backup' }).waitFor();
    await theirs.getByText('12 received, 1 sent').waitFor();
    expect(await problemsInAllLooks(theirs, 'backups-list')).toEqual({});
    await theirs.getByRole('searchbox', { name: 'Search backups' }).fill('nothing');
    await theirs.getByText('No backups found matching your search.').waitFor();
    await theirs.getByRole('button', { name: 'Clear Filters' }).first().click();
    await theirs.getByRole('link', { name: owner.user.email }).click();
    await theirs.waitForURL(/backup_emails\?email=/);
  });

  it('shows its messages as cards, in pages, by what was received and sent, and as they are searched for', async () => {
    await theirs.getByRole('tab', { name: `View Received Mails by ${owner.user.email}`, selected: true }).waitFor();
    await cards().first().waitFor();
    await expect.poll(() => cards().count()).toBe(10);
    const first = cards().first();
    await first.getByText('A subject that is longer than…').waitFor();
    await first.getByText(/^\d\d\/\d\d\/\d\d \d\d:\d\d [AP]M$/).waitFor();
    await first.getByRole('img', { name: '1 attachment' }).waitFor();
    await expect.poll(() => first.getByText('Unread').count()).toBe(1);
    expect(await problemsInAllLooks(theirs, 'backups-mail')).toEqual({});
    await theirs.getByRole('button', { name: 'Next page' }).click();
    await until('the second page is there', async () => (await cards().count()) === 2);
    await theirs.getByRole('searchbox', { name: 'Search by subject or sender' }).fill('bale 7');
    await until('one is found', async () => (await cards().count()) === 1);
    await theirs.getByRole('searchbox', { name: 'Search by subject or sender' }).fill('weft');
    await theirs.getByText('No emails found matching your search.').waitFor();
    await theirs.getByRole('button', { name: 'Clear Filters' }).first().click();
    await theirs.getByRole('tab', { name: `View Sent Mails by ${owner.user.email}` }).click();
    await theirs.getByText('To: Bob').waitFor();
    await expect.poll(() => cards().count()).toBe(1);
  });

  it('opens a message to be read alone, also after a reload, and leads back', async () => {
    await cards().first().getByRole('link').click();
    await theirs.getByRole('heading', { name: 'Our answer' }).waitFor();
    await theirs.getByText('Bcc: eve@remote.test').waitFor();
    await theirs.frameLocator('iframe').getByText('Sent words.').waitFor();
    await expect.poll(() => theirs.getByRole('button', { name: /Reply|Archive|Star|Delete/ }).count()).toBe(0);
    expect(await problemsInAllLooks(theirs, 'backups-message')).toEqual({});
    await theirs.reload();
    await theirs.frameLocator('iframe').getByText('Sent words.').waitFor();
    await theirs.getByRole('button', { name: 'More' }).click();
    await theirs.getByRole('menuitem', { name: 'View source' }).click();
    await theirs
      .getByRole('dialog')
      .getByText(/Subject: Our answer/)
      .waitFor();
    await theirs.keyboard.press('Escape');
    await theirs.getByRole('button', { name: 'Back', exact: true }).click();
    await theirs.getByRole('tab', { name: /View Sent Mails/, selected: true }).waitFor();
    await theirs.goto(mailbox());
    await cards().first().waitFor();
  });

  it('is shown to the owner, who sees that it was opened', async () => {
    await ownTab.goto(`${host.url}/dashboard/accountsettings?activeTab=security`);
    const section = ownTab.getByRole('list', { name: 'Who could read your mail' });
    await section.getByText(`Vic Reader (${viewer.user.email})`).waitFor();
    await section.getByText(/given by Asha Menon on .* last opened on/).waitFor();
    await ownTab.getByText('A backup of a mailbox was opened by its reader').first().waitFor();
    await section.scrollIntoViewIfNeeded();
    expect(await problemsInAllLooks(ownTab, 'backups-readers')).toEqual({});
  });

  it('stands on the page of both people', async () => {
    await page.goto(`${host.url}/dashboard/user/${viewer.user.id}`);
    await page.getByText(new RegExp(`${owner.user.email} \\(`)).waitFor();
    await page.goto(`${host.url}/dashboard/user/${owner.user.id}`);
    await page.getByText('No backup emails added').waitFor();
    await page.getByText(new RegExp(`${viewer.user.email} \\(`)).waitFor();
  });

  it('goes on after the worker was killed in the middle, and shows how far it is', async () => {
    await fillMailbox(40_000);
    await giveFromList();
    await pick('Vic Reader');
    await page.getByRole('dialog').getByRole('button', { name: 'Back up' }).click();
    const progress = page.getByRole('dialog').getByText(/^[\d,]+ of 40,0\d\d messages$/);
    await until('some are copied', async () => /^[1-9]/.test((await progress.textContent()) ?? ''));
    await host.end('workers', 'SIGKILL');
    const half = await MailCopy.findOne({ where: { ownerId: owner.user.id }, rejectOnEmpty: true });
    expect(half.state).toBe('copying');
    await host.start('workers');
    await page
      .getByRole('dialog')
      .getByText(/The backup is ready/)
      .waitFor({ timeout: 200_000 });
    await half.reload();
    expect([half.state, half.receivedCount, half.sentCount]).toEqual(['ready', 40_012, 1]);
    await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click();
  }, 300_000);

  it('is deleted by its reader, and the owner sees that as well', async () => {
    await theirs.goto(`${host.url}/dashboard/backup`);
    await theirs.getByText('40,012 received, 1 sent').waitFor();
    await theirs.getByRole('button', { name: `Actions for ${owner.user.email}` }).click();
    await theirs.getByRole('menuitem', { name: 'Delete' }).click();
    const question = theirs.getByRole('alertdialog');
    await question.getByText('Are you sure you want to delete this backup email?').waitFor();
    expect(await problemsInAllLooks(theirs, 'backups-delete')).toEqual({});
    await question.getByRole('button', { name: 'Delete' }).click();
    await theirs.getByText('No backups', { exact: true }).waitFor();
    expect(await problemsInAllLooks(theirs, 'backups-none')).toEqual({});
    await theirs.goto(mailbox());
    await theirs.getByRole('alert').or(theirs.getByRole('status')).first().waitFor();
    await ownTab.reload();
    await ownTab
      .getByRole('list', { name: 'Who could read your mail' })
      .getByText('Deleted', { exact: true })
      .waitFor();
  });
});

/** Repeats a message of the owner in their inbox. */
async function fillMailbox(times: number): Promise<void> {
  const { id, companyId } = owner.user;
  const { db } = host.app;
  await db.query(
    `INSERT INTO messages (mail_id, blob_key, size, trace_headers, thread_key, envelope_from, from_address, subject, preview,
                           to_list, cc_list, created_at, updated_at)
     SELECT CONCAT('many-', seq), blob_key, size, '', thread_key, '', from_address, CONCAT('Row ', seq), preview, to_list, cc_list,
            created_at, updated_at FROM (SELECT * FROM messages WHERE subject = 'Bale 1' LIMIT 1) m JOIN seq_1_to_${times}`,
  );
  await db.query(
    `INSERT INTO mailbox_entries (company_id, user_id, message_id, folder, folder_id, uid, received_status, thread_key,
                                  arrived_at, created_at, updated_at)
     SELECT ${companyId}, ${id}, m.id, 'inbox', f.id, 1000 + m.id, 1, m.thread_key, NOW(3), NOW(3), NOW(3)
       FROM messages m JOIN folders f ON f.user_id = ${id} AND f.role = 'inbox' WHERE m.mail_id LIKE 'many-%'`,
  );
  await db.query(
    `UPDATE folders SET total = total + ${times}, uid_next = (SELECT MAX(uid) + 1 FROM mailbox_entries WHERE user_id = ${id})
      WHERE user_id = ${id} AND role = 'inbox'`,
  );
}
