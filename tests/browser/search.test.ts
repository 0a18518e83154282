import { inTransaction, systemContext } from '@selvage/core/context/context';
import { saveDraft } from '@selvage/core/mailstore/save-draft';
import { receive } from '@selvage/core/mailstore/test-messages';
import { Folder } from '@selvage/core/models/folder';
import { Label } from '@selvage/core/models/label';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { seriousProblems } from '../support/axe.ts';
import { openTab } from '../support/browser.ts';
import { ComposePage } from '../support/compose-page.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { pauseWriting } from '../support/pause-writing.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: ReachableHost;
let ana: Mailbox;
let page: Page;

beforeAll(async () => {
  host = await sharedWebHost();
  ana = await buildMailbox(host.app);
  const ctx = systemContext(host.app);
  const filler = 'Nothing of interest stands here, and it goes on for a while. '.repeat(8);
  await receive(ctx, [ana], { subject: 'Grüße from the mill', body: 'The new looms arrive on Monday.' });
  await receive(ctx, [ana], { subject: 'Prices', body: `${filler} The bobbin costs 4 euro.` });
  await receive(ctx, [ana], { subject: '<img src=x onerror=alert(1)> bobbin', body: '<b>bobbin</b>' });
  for (let number = 0; number < 12; number += 1) await receive(ctx, [ana], { subject: `Order ${number}` });
  await buildMailbox(host.app, { tenant: ana, user: { fname: 'Pavel', lname: 'Novák' }, local: 'pavel' });
  page = await openTab(host, ana);
});

const box = (on = page) => on.getByRole('combobox', { name: 'Search mail' });
const row = (subject: string) => page.getByRole('listitem').filter({ hasText: subject });

async function search(text: string): Promise<void> {
  await box().fill(text);
  await box().press('Enter');
  await page.waitForURL((url) => url.searchParams.get('q') === text);
}

describe('the search through mail', { timeout: 120_000 }, () => {
  it('is reached by a key, and says what it can do', async () => {
    await row('Order 1').first().waitFor();
    await page.keyboard.press('/');
    const suggestions = page.getByRole('listbox', { name: 'Suggestions' });
    await suggestions.getByRole('option', { name: /has:attachment/ }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await suggestions.waitFor({ state: 'detached' });
  });

  it('finds a word, marks it and leads to the message and back', async () => {
    await search('looms');
    await page.getByText('1 message found', { exact: true }).waitFor();
    await row('Grüße from the mill').locator('mark', { hasText: 'looms' }).waitFor();
    await row('Grüße from the mill').getByRole('link').click();
    await page.getByRole('heading', { name: 'Grüße from the mill' }).waitFor();
    await page.goBack();
    await row('Grüße from the mill').waitFor();
    await expect.poll(() => box().inputValue()).toBe('looms');
  });

  it('shows the place in a long text, and never as HTML', async () => {
    await search('bobbin');
    await row('Prices').locator('mark', { hasText: 'bobbin' }).waitFor();
    await row('<img src=x onerror=alert(1)> bobbin').waitFor();
    await expect.poll(() => page.locator('main img[src="x"]').count()).toBe(0);
    expect(await problemsInAllLooks(page, 'search-results')).toEqual({});
  });

  it('offers what was searched for before, and readings of what is typed', async () => {
    await box().fill('');
    await page.getByRole('option', { name: 'Recent search: looms' }).waitFor();
    await box().fill('bea');
    await page.getByRole('option', { name: 'From bea' }).waitFor();
    await box().press('ArrowDown');
    await box().press('ArrowDown');
    await box().press('Enter');
    await page.waitForURL((url) => url.searchParams.get('q') === 'from:bea');
    await page.getByText('15 messages found', { exact: true }).waitFor();
  });

  it('offers the people whom the text may mean', async () => {
    await box().fill('pav');
    await page.getByRole('option', { name: 'From Pavel Novák <pavel@' }).click();
    await page.waitForURL((url) => url.searchParams.get('q') === `from:pavel@${ana.domain.domainName}`);
    await page.getByText('No emails found').waitFor();
    await box().fill('order to:nov');
    await box().press('ArrowUp');
    await page.getByRole('option', { name: 'To Pavel Novák <pavel@' }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await box().press('ArrowDown');
    await box().press('ArrowDown');
    await box().press('Enter');
    await page.waitForURL((url) => url.searchParams.get('q') === `order to:pavel@${ana.domain.domainName}`);
  });

  it('narrows by pressing, and writes it into the text', async () => {
    await search('order');
    // The filters add to the text of the search that is shown
    await row('Order 3').waitFor();
    await page.getByRole('button', { name: 'Starred' }).click();
    await page.getByText('No emails found').waitFor();
    await expect.poll(() => box().inputValue()).toBe('order is:starred');
    await page.getByRole('button', { name: 'Starred' }).click();
    await expect.poll(() => box().inputValue()).toBe('order');
    await page.getByRole('combobox', { name: 'Folder' }).selectOption('inbox');
    await expect.poll(() => box().inputValue()).toBe('order in:inbox');
    await page.getByText('12 messages found', { exact: true }).waitFor();
  });

  it('changes the messages that are ticked', async () => {
    await search('prices');
    await row('Prices').getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    await row('Prices').getByText('Archive', { exact: true }).waitFor();
    await until('the message is archived', async () => {
      const where = { userId: String(ana.user.id), archiveStatus: true };
      return (await MailboxEntry.count({ where })) === 1;
    });
  });

  it('finds a draft, opens it to go on with it, and deletes it', async () => {
    const ctx = systemContext(host.app);
    const owner = { userId: String(ana.user.id), companyId: String(ana.company.id) };
    const content = {
      toList: ['Ben <ben@remote.test>'],
      ccList: [],
      bccList: [],
      fromAddress: ana.user.email,
      subject: 'About the shuttle',
      body: '<p>It flies.</p>',
      preview: 'It flies.',
    };
    const origin = { originalEntryId: null, isReply: false, inReplyTo: null, referenceIds: [] };
    const save = { ...owner, known: null, content, origin, added: [], without: new Set<string>() };
    const { id } = await inTransaction(ctx, (tx) => saveDraft(tx, save));
    await pauseWriting(ctx, id);
    await search('shuttle');
    const found = row('About the shuttle');
    await found.getByText('Drafts', { exact: true }).waitFor();
    await found.getByText('Ben', { exact: false }).first().waitFor();
    await found.getByRole('button', { name: 'About the shuttle' }).click();
    const compose = new ComposePage(page);
    await compose.window().waitFor();
    await expect.poll(() => compose.field('Subject').inputValue()).toBe('About the shuttle');
    await compose.press('Close');
    await compose.window().waitFor({ state: 'detached' });

    await found.getByRole('checkbox').check();
    expect(await problemsInAllLooks(page, 'search-draft')).toEqual({});
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No emails found').waitFor();
  });

  it('moves and labels the messages that are ticked, and finds them by folder and label', async () => {
    const owner = { userId: String(ana.user.id), companyId: String(ana.company.id) };
    await Folder.create({ ...owner, role: null, name: 'Old orders', nameKey: 'old orders', uidValidity: 1 });
    await Label.create({ ...owner, name: 'Mill work', nameKey: 'mill work', colour: 'red' });
    await page.reload();
    await search('"order 7"');
    await row('Order 7').locator('mark').first().waitFor();
    await row('Order 7').getByRole('checkbox').check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Move to folder' }).click();
    await page.getByRole('dialog', { name: /^Move/ }).getByRole('button', { name: 'Old orders' }).click();
    await page.getByText('Moved to “Old orders”').first().waitFor();
    await search('in:"old orders"');
    // The search before has found the same message, and ticks do not pass from one to the other
    await row('Order 7').locator('mark').first().waitFor({ state: 'detached' });
    await page.getByText('1 message found', { exact: true }).waitFor();
    await row('Order 7').getByRole('checkbox').check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Label', exact: true }).click();
    await page.getByRole('searchbox', { name: 'Find a label' }).fill('mill');
    await page.keyboard.press('Enter');
    await until('it has the label', async () => {
      const label = await Label.findOne({ where: { ...owner, name: 'Mill work' } });
      return label?.total === 1;
    });
    await page.keyboard.press('Escape');
    await row('Order 7').getByRole('checkbox').uncheck();
    await search('order');
    await row('Order 3').waitFor();
    await search('label:"mill work" order');
    await page.getByText('1 message found', { exact: true }).waitFor();
    await row('Order 7').waitFor();
    await row('Order 3').waitFor({ state: 'detached' });
  });

  it('leads back to where the search began when it is cleared', async () => {
    await page.getByRole('button', { name: 'Clear the search' }).click();
    await page.waitForURL(/\/dashboard\/inbox$/);
  });

  it('stands on a page of its own on a phone', async () => {
    const phone = await openTab(host, ana);
    await phone.setViewportSize({ width: 390, height: 800 });
    await phone.getByRole('button', { name: 'Search mail' }).click();
    await phone.getByText('What are you looking for?').waitFor();
    expect(await problemsInAllLooks(phone, 'search-empty')).toEqual({});
    await phone.setViewportSize({ width: 390, height: 800 });
    await box(phone).fill('looms');
    await box(phone).press('Enter');
    await phone.getByRole('listitem').filter({ hasText: 'Grüße' }).waitFor();
  });
});
