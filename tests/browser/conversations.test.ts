import { systemContext } from '@selvage/core/context/context';
import { verifyTotals } from '@selvage/core/mailstore/verify-totals';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seriousProblems } from '../support/axe.ts';
import { openTab } from '../support/browser.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { layoutProblems } from '../support/page-layout.ts';
import { untilDayLasts } from '../support/rest-of-day.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { type Written, write } from '../support/threads.ts';

let host: ReachableHost;
let ana: Mailbox;
let page: Page;

beforeAll(async () => {
  await untilDayLasts();
  host = await sharedWebHost();
});

beforeEach(async () => {
  ana = await buildMailbox(host.app);
});

const ben = 'Ben Raman <ben@sender.test>';
const put = (written: Written): Promise<string> => write(systemContext(host.app), ana, written);
const rows = (): Locator => page.getByRole('list', { name: 'Messages' }).getByRole('listitem');
const row = (text: string): Locator => rows().filter({ hasText: text });

async function openInbox(): Promise<void> {
  page = await openTab(host, ana);
  await rows().first().waitFor();
}

const inFolder = (folder: 'inbox' | 'archive' | 'trash') =>
  MailboxEntry.count({ where: { userId: String(ana.user.id), folder } });

describe('a list of conversations', () => {
  it('shows each once, with its writers, its number of messages and the day', async () => {
    await put({ root: 'old', subject: 'Old news', daysAgo: 60 });
    await put({ root: 'a', subject: 'Count of bales', daysAgo: 1 });
    await put({ root: 'b', subject: 'Alone' });
    await put({ root: 'a', subject: 'Re: Count of bales', from: ben });
    await openInbox();
    await expect.poll(() => rows().count()).toBe(3);
    await row('Count of bales').getByText('Bea, Ben').waitFor();
    await row('Count of bales')
      .getByRole('link', { name: /Unread\. Bea, Ben 2 messages Re: Count of bales/ })
      .waitFor();
    const headings = page.getByRole('list', { name: 'Messages' }).getByRole('heading');
    expect((await headings.allTextContents())[0]).toBe('Today');
    await expect.poll(() => headings.count()).toBe(2);
    expect([...(await layoutProblems(page)), ...(await seriousProblems(page))]).toEqual([]);
  });

  it('archives a conversation with all of its messages, and takes that back', async () => {
    for (const subject of ['One', 'Re: One', 'Re: Re: One']) await put({ root: 'a', subject });
    await put({ root: 'b', subject: 'Other' });
    await openInbox();
    await row('Re: Re: One').hover();
    await page.getByRole('button', { name: 'Archive Re: Re: One' }).click();
    await page.getByText('Archived: 3 messages').first().waitFor();
    await expect.poll(() => inFolder('archive')).toBe(3);
    await expect.poll(() => rows().count()).toBe(1);
    await page.getByRole('button', { name: 'Undo' }).click();
    await row('Re: Re: One').waitFor();
    await expect.poll(() => inFolder('inbox')).toBe(4);
    expect(await verifyTotals(systemContext(host.app), String(ana.user.id))).toBe(true);
  });

  it('gives each message back what it had when a conversation was marked read', async () => {
    const [first] = [await put({ root: 'a', subject: 'One' }), await put({ root: 'a', subject: 'Re: One' })];
    await MailboxEntry.update({ readStatus: true }, { where: { id: first } });
    await openInbox();
    const unread = () => MailboxEntry.count({ where: { userId: String(ana.user.id), readStatus: false } });
    await page.getByRole('checkbox', { name: /Select Re: One/ }).click();
    await page.getByRole('button', { name: 'Mark as read' }).click();
    await expect.poll(unread).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(unread).toBe(1);
  });

  it('lists messages again when the person chooses so, also after a reload', async () => {
    for (const subject of ['One', 'Re: One']) await put({ root: 'a', subject });
    await openInbox();
    await expect.poll(() => rows().count()).toBe(1);
    await page.getByRole('button', { name: 'View options' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Conversations' }).click();
    await expect.poll(() => rows().count()).toBe(2);
    await page.reload();
    await expect.poll(() => rows().count()).toBe(2);
  });

  it('has rows of 40 pixels, 32 when compact, and 64 with pictures when relaxed', async () => {
    await put({ root: 'a', subject: 'Today’s' });
    await put({ root: 'b', subject: 'Also today' });
    await openInbox();
    const height = async () => Math.round((await rows().nth(1).boundingBox())?.height ?? 0);
    await expect.poll(() => height()).toBeGreaterThanOrEqual(40);
    await expect.poll(() => height()).toBeLessThanOrEqual(41);
    for (const [name, pixels] of [
      ['Compact', 32],
      ['Relaxed', 64],
    ] as const) {
      await page.getByRole('button', { name: 'View options' }).click();
      await page.getByRole('menuitemradio', { name }).click();
      await page.keyboard.press('Escape');
      await expect.poll(async () => Math.abs((await height()) - pixels)).toBeLessThanOrEqual(1);
    }
    expect([...(await layoutProblems(page)), ...(await seriousProblems(page))]).toEqual([]);
  });
});

describe('new mail', () => {
  it('just appears at the top of a list that is at rest', async () => {
    await put({ root: 'a', subject: 'First' });
    await openInbox();
    await page.mouse.move(5, 5);
    await put({ root: 'b', subject: 'Second' });
    await row('Second').waitFor();
  });

  it('waits while the pointer is over the list, and is shown by a press', async () => {
    await put({ root: 'a', subject: 'First' });
    await put({ root: 'b', subject: 'Second' });
    await openInbox();
    await row('First').hover();
    await put({ root: 'c', subject: 'Third' });
    const button = page.getByRole('button', { name: '1 new message' });
    await button.waitFor();
    await expect.poll(() => rows().count()).toBe(2);
    // what the person does meanwhile holds
    await row('Second').hover({ position: { x: 300, y: 55 } });
    await page.getByRole('button', { name: 'Archive Second' }).click();
    await expect.poll(() => inFolder('archive')).toBe(1);
    await expect.poll(() => rows().count()).toBe(1);
    await expect.poll(() => row('Third').count()).toBe(0);
    await button.click();
    await row('Third').waitFor();
    await expect.poll(() => rows().count()).toBe(2);
  });

  it('has the focus on the first row when a key has shown it, and not when a press has', async () => {
    await put({ root: 'a', subject: 'First' });
    await openInbox();
    await page.getByRole('checkbox', { name: 'Select First' }).press('Space');
    await put({ root: 'b', subject: 'Second' });
    await page.getByRole('button', { name: '1 new message' }).press('Enter');
    await row('Second').waitFor();
    const focused = page.locator(':focus');
    await expect.poll(() => rows().first().getByRole('link').and(focused).count()).toBe(1);
    await put({ root: 'c', subject: 'Third' });
    await page.getByRole('button', { name: '1 new message' }).click();
    await row('Third').waitFor();
    expect(await rows().first().getByRole('link').and(focused).count()).toBe(0);
  });

  it('shows when all rows under the pointer are gone', async () => {
    await put({ root: 'a', subject: 'First' });
    await openInbox();
    await row('First').hover();
    await put({ root: 'b', subject: 'Second' });
    await page.getByRole('button', { name: '1 new message' }).waitFor();
    // It has moved the row away from under the pointer
    await row('First').hover({ position: { x: 300, y: 55 } });
    await page.getByRole('button', { name: 'Archive First' }).click();
    await row('Second').waitFor();
    await expect.poll(() => row('First').count()).toBe(0);
  });
});
