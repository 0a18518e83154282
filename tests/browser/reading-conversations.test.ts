import { systemContext } from '@selvage/core/context/context';
import { readRows } from '@selvage/core/database/run-sql';
import { changeStatus } from '@selvage/core/mailstore/change-status';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { Message } from '@selvage/core/models/message';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seriousProblems } from '../support/axe.ts';
import { openTab } from '../support/browser.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { layoutProblems } from '../support/page-layout.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { type Written, write } from '../support/threads.ts';

let host: ReachableHost;
let ana: Mailbox;
let page: Page;

beforeAll(async () => {
  host = await sharedWebHost();
});

beforeEach(async () => {
  ana = await buildMailbox(host.app);
});

const put = (written: Written): Promise<string> => write(systemContext(host.app), ana, written);
const read = (entryIds: string[]) =>
  changeStatus(systemContext(host.app), { userId: String(ana.user.id), entryIds, flags: { readStatus: true } });
const row = (text: string): Locator =>
  page.getByRole('list', { name: 'Messages' }).getByRole('listitem').filter({ hasText: text }).getByRole('link');
const conversation = (): Locator => page.getByRole('region', { name: 'Conversation' });
const parts = (): Locator => conversation().getByRole('article');
const subject = (text: string): Locator => page.getByRole('heading', { level: 1, name: text, exact: true });

async function open(text: string): Promise<void> {
  page = await openTab(host, ana);
  await row(text).click();
  await subject(text).waitFor();
}

describe('an open conversation', () => {
  it('shows what was read as lines, and what was not whole, in order, and marks all read', async () => {
    const ids: string[] = [];
    for (const number of [1, 2, 3, 4]) {
      ids.push(
        await put({ root: 'a', subject: `Part ${number}`, body: `Words of ${number}.`, from: `P${number} <p@x.test>` }),
      );
    }
    await read(ids.slice(0, 2));
    await open('Part 4');
    await expect.poll(() => parts().count()).toBe(4);
    await expect.poll(() => conversation().locator('iframe').count()).toBe(2);
    await parts().nth(0).getByText('Words of 1.').waitFor();
    const names = await parts().evaluateAll((all) =>
      (all as unknown as { getAttribute(name: string): string }[]).map((part) => part.getAttribute('aria-label')),
    );
    expect(names).toEqual(['P1', 'P2', 'P3', 'P4']);
    const unread = () => MailboxEntry.count({ where: { userId: String(ana.user.id), readStatus: false } });
    await expect.poll(unread).toBe(0);
    expect([...(await layoutProblems(page)), ...(await seriousProblems(page))]).toEqual([]);
    await parts().nth(0).getByRole('button').click();
    await parts().nth(0).getByRole('button', { name: 'Reply', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Expand all' }).click();
    await expect.poll(() => conversation().locator('iframe').count()).toBe(4);
    await page.getByRole('button', { name: 'Collapse all' }).click();
    await expect.poll(() => conversation().locator('iframe').count()).toBe(0);
  });

  it('of more messages than one call gives shows the earlier ones, and is read and labelled with them', async () => {
    const first = await put({ root: 'a', subject: 'Long' });
    const { id: _id, uid: _uid, ...values } = (await MailboxEntry.findByPk(first, { rejectOnEmpty: true })).get();
    const at = (second: number) => new Date(values.arrivedAt.getTime() - second * 1000);
    const copies = Array.from({ length: 120 }, (_, index) => ({
      ...values,
      uid: 1000 + index,
      arrivedAt: at(index + 1),
    }));
    // the copies need messages of their own: a message is shown once
    await MailboxEntry.bulkCreate(copies);
    await host.app.db.query(
      `INSERT INTO messages (mail_id, blob_key, size, trace_headers, thread_key, envelope_from, from_address, subject, preview,
                             to_list, cc_list, created_at, updated_at)
       SELECT CONCAT(m.mail_id, e.id), m.blob_key, m.size, m.trace_headers, m.thread_key, m.envelope_from, m.from_address,
              m.subject, m.preview, m.to_list, m.cc_list, m.created_at, m.updated_at
         FROM mailbox_entries e JOIN messages m ON m.id = e.message_id WHERE e.user_id = ${ana.user.id} AND e.id <> ${first}`,
    );
    await host.app.db.query(
      `UPDATE mailbox_entries e JOIN messages f ON f.id = ${values.messageId} JOIN messages m ON m.mail_id = CONCAT(f.mail_id, e.id)
          SET e.message_id = m.id, e.read_status = (e.uid < 1100) WHERE e.user_id = ${ana.user.id} AND e.id <> ${first}`,
    );
    await host.app.db.query(
      `UPDATE folder_threads SET total = 121, unread = 21 WHERE folder_id = ${values.folderId ?? ''}`,
    );
    await open('Long');
    await expect.poll(() => parts().count()).toBe(101);
    // the newest is in view, below a hundred lines
    await expect.poll(async () => (await parts().last().boundingBox())?.y ?? 9999).toBeLessThan(700);
    await conversation().getByText('121 messages').waitFor();
    const showEarlier = page.getByRole('button', { name: 'Show 20 earlier messages' });
    const refusal = { status: 500, json: { success: false, message: 'The looms stand still.' } };
    await page.route('**/mail/get/*replies=500*', (route) => route.fulfill(refusal));
    await showEarlier.click();
    await page.getByText('The looms stand still.').first().waitFor();
    await page.unroute('**/mail/get/*replies=500*');
    await showEarlier.click();
    await expect.poll(() => parts().count()).toBe(121);
    const unread = () => MailboxEntry.count({ where: { userId: String(ana.user.id), readStatus: false } });
    await expect.poll(unread).toBe(0);
    await page.keyboard.press('l');
    await page.getByRole('searchbox', { name: 'Find a label' }).fill('Looms');
    await page.keyboard.press('Enter');
    const own = 'SELECT l.entry_id FROM entry_labels l JOIN mailbox_entries e ON e.id = l.entry_id WHERE e.user_id = ?';
    const labelled = async () => (await readRows({ app: host.app }, own, [String(ana.user.id)])).length;
    await expect.poll(labelled).toBe(121);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect.poll(labelled).toBe(0);
  });

  it('is archived as a whole', async () => {
    for (const number of [1, 2, 3]) await put({ root: 'a', subject: `Part ${number}` });
    await open('Part 3');
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    await page.getByText('Archived: 3 messages').first().waitFor();
    const archived = () => MailboxEntry.count({ where: { userId: String(ana.user.id), folder: 'archive' } });
    await expect.poll(archived).toBe(3);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(archived).toBe(0);
  });
});

it('says at a folded message that its sender only bears the name of a colleague', async () => {
  await buildMailbox(host.app, { tenant: ana, user: { fname: 'Ines', lname: 'Vidal' } });
  const forged = await put({ root: 'a', subject: 'Pay this today', from: 'Ines Vidal <ines@evil.test>' });
  const { messageId } = await MailboxEntry.findByPk(forged, { rejectOnEmpty: true });
  const none = { result: 'none', domain: null };
  const authentication = { spf: none, dkim: [], dmarc: { ...none, policy: null }, arc: null, header: '' };
  await Message.update({ authentication }, { where: { id: messageId } });
  await read([forged]);
  await put({ root: 'a', subject: 'Which one?' });
  await open('Which one?');
  const sign = parts()
    .nth(0)
    .getByRole('img', { name: /^Ines Vidal is the name of a colleague, but ines@evil\.test is not/ });
  await sign.waitFor();
  expect(await problemsInAllLooks(page, 'doubted')).toEqual({});
  await parts().nth(0).getByRole('button').click();
  await parts().nth(0).getByText('Ines Vidal is the name of a colleague').first().waitFor();
});

describe('one message of a conversation', () => {
  const entry = (id: string) => MailboxEntry.findByPk(id, { rejectOnEmpty: true });

  async function choose(part: Locator, item: string): Promise<void> {
    // All messages are whole. Until their texts have their heights, what stands below them moves
    const tall = conversation().locator('iframe[style*=height]');
    await expect.poll(async () => (await tall.count()) === (await parts().count())).toBe(true);
    await part.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
  }

  it('gets a star, is archived and deleted without the others, and comes back', async () => {
    const ids: string[] = [];
    for (const number of [1, 2, 3]) {
      ids.push(await put({ root: 'a', subject: `Part ${number}`, from: `P${number} <p@x.test>` }));
    }
    const [first = '', second = '', third = ''] = ids;
    await open('Part 3');
    await expect.poll(() => conversation().locator('iframe').count()).toBe(3);
    await choose(parts().nth(1), 'Add star to this message');
    await parts().nth(1).getByLabel('Has a star').waitFor();
    await choose(parts().nth(0), 'Archive this message');
    await page.getByText('Archived', { exact: true }).first().waitFor();
    await choose(parts().nth(1), 'Delete this message');
    await expect.poll(() => parts().count()).toBe(2);
    await expect.poll(async () => (await entry(second)).folder).toBe('trash');
    expect([(await entry(first)).folder, (await entry(second)).starStatus]).toEqual(['archive', true]);
    expect([(await entry(third)).folder, (await entry(third)).starStatus]).toEqual(['inbox', false]);
    await page
      .locator('[role=listitem], .fui-Toast')
      .filter({ hasText: 'Moved to trash' })
      .getByRole('button', { name: 'Undo' })
      .click();
    await expect.poll(() => parts().count()).toBe(3);
    await expect.poll(async () => (await entry(second)).folder).toBe('inbox');
  });

  it('leaves the others on the screen when it was the open one', async () => {
    for (const number of [1, 2]) await put({ root: 'a', subject: `Part ${number}`, from: `P${number} <p@x.test>` });
    await open('Part 2');
    await choose(parts().nth(1), 'Delete this message');
    await subject('Part 1').waitFor();
    await expect.poll(() => conversation().count()).toBe(0);
    const left = () => MailboxEntry.count({ where: { userId: String(ana.user.id), folder: 'inbox' } });
    await expect.poll(left).toBe(1);
  });

  it('is marked unread with all behind it', async () => {
    const ids: string[] = [];
    for (const number of [1, 2, 3]) ids.push(await put({ root: 'a', subject: `Part ${number}` }));
    await open('Part 3');
    const states = async () =>
      (await MailboxEntry.findAll({ where: { id: ids }, order: ['id'] })).map(({ readStatus }) => readStatus);
    await expect.poll(states).toEqual([true, true, true]);
    await choose(parts().nth(1), 'Mark unread from here');
    await expect.poll(states).toEqual([true, false, false]);
    await page.getByRole('list', { name: 'Messages' }).waitFor();
    await expect.poll(states).toEqual([true, false, false]);
  });

  it('has a menu that is read on a phone too', async () => {
    for (const number of [1, 2]) await put({ root: 'a', subject: `Part ${number}` });
    await open('Part 2');
    await choose(parts().nth(0), 'Add star to this message');
    await parts().nth(0).getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Remove star from this message' }).waitFor();
    expect(await problemsInAllLooks(page, 'one-message')).toEqual({});
  });
});

describe('the messages beside the open one', () => {
  it('are opened by buttons and keys, across the end of the page', async () => {
    for (const number of [1, 2, 3, 4, 5, 6, 7]) await put({ root: `r${number}`, subject: `Mail ${number}` });
    page = await openTab(host, ana);
    await page.goto(`${host.url}/dashboard/inbox?limit=5`);
    await row('Mail 4').click();
    await subject('Mail 4').waitFor();
    await page.getByRole('button', { name: 'Previous message' }).click();
    await subject('Mail 5').waitFor();
    for (const number of [4, 3, 2, 1]) {
      // The key leads nowhere while the next page of the list is on its way
      await page.getByRole('button', { name: 'Next message', disabled: false }).waitFor();
      await page.keyboard.press('j');
      await subject(`Mail ${number}`).waitFor();
    }
    await page.keyboard.press('k');
    await subject('Mail 2').waitFor();
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await page.waitForURL('**/dashboard/inbox?limit=5&page=2');
    await row('Mail 2').waitFor();
  });

  it('follow an archived one when the person chooses so', async () => {
    for (const number of [1, 2, 3]) await put({ root: `r${number}`, subject: `Mail ${number}` });
    page = await openTab(host, ana);
    await page.getByRole('button', { name: 'View options' }).click();
    await page.getByRole('menuitemradio', { name: 'Open the next message' }).click();
    await page.keyboard.press('Escape');
    await row('Mail 3').click();
    await subject('Mail 3').waitFor();
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    await subject('Mail 2').waitFor();
    await page.keyboard.press('e');
    await subject('Mail 1').waitFor();
    await page.keyboard.press('e');
    await page.getByRole('heading', { name: 'Inbox Mail' }).waitFor();
  });
});
