import { Draft } from '@selvage/core/models/draft';
import { DraftAttachment } from '@selvage/core/models/draft-attachment';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openTab } from '../support/browser.ts';
import { ComposePage } from '../support/compose-page.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import { prepareSigning } from '../support/signing.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: ReachableHost;
let ana: Mailbox;
let page: Page;
let compose: ComposePage;

beforeAll(async () => {
  host = await sharedWebHost();
  ana = await buildMailbox(host.app, { user: { undoMs: 0 } });
  await prepareSigning(host, ana);
  page = await openTab(host, ana);
  compose = new ComposePage(page);
});

const row = (subject: string, on = page) => on.getByRole('listitem').filter({ hasText: subject });
const draftsOf = (mailbox: Mailbox): Promise<Draft[]> =>
  Draft.findAll({ where: { userId: String(mailbox.user.id) }, order: [['id', 'ASC']] });

async function openDrafts(tab = page): Promise<void> {
  await tab.getByRole('link', { name: 'Drafts' }).click();
  await tab.getByRole('heading', { name: 'Draft Mail' }).waitFor();
}

async function openRow(subject: string, on = page): Promise<void> {
  await row(subject, on)
    .getByRole('button', { name: new RegExp(subject) })
    .click();
}

async function close(on = compose): Promise<void> {
  await on.press('Close');
  await on.window().waitFor({ state: 'detached' });
}

/** Presses Discard in the very moment in which a window has it. */
const DISCARD_WHEN_THERE = `new MutationObserver((_changes, watch) => {
  const found = document.querySelector('[role=dialog] button[aria-label=Discard]');
  if (!found) return;
  watch.disconnect();
  found.click();
}).observe(document.body, { childList: true, subtree: true })`;

describe('the list of drafts', { timeout: 120_000 }, () => {
  it('says what it is for while it is empty', async () => {
    await openDrafts();
    await page.getByText('No emails found').waitFor();
    await page.getByText('A message that you close before it is sent waits here.').waitFor();
    expect(await problemsInAllLooks(page, 'drafts-empty')).toEqual({});
  });

  it('has what was closed, with its recipients, its files and its first words', async () => {
    await page.getByRole('link', { name: 'Inbox' }).click();
    await compose.open();
    await compose.write({ to: 'priya@remote.test', subject: 'The new looms', text: 'They arrive on Monday.' });
    await compose.field('To').fill('half typed');
    await compose.attach('terms.txt', 'the terms');
    await close();
    await page.getByText('Saved in Drafts.').first().waitFor();
    await openDrafts();
    const own = row('The new looms');
    await own.getByText('To: priya@remote.test +1').waitFor();
    await own.getByText('They arrive on Monday.').waitFor();
    await own.getByRole('img', { name: 'Has attachments' }).waitFor();
    await page.getByText('1 draft', { exact: true }).waitFor();
    expect(await problemsInAllLooks(page, 'drafts')).toEqual({});
  });

  it('opens one to go on with, on this and on another device', async () => {
    const [before] = await draftsOf(ana);
    const other = await openTab(host, ana);
    await openDrafts(other);
    await openRow('The new looms', other);
    const letter = new ComposePage(other);
    await letter.text().getByText('They arrive on Monday.').waitFor();
    await expect.poll(() => letter.recipients()).toEqual(['priya@remote.test', expect.stringContaining('half typed')]);
    await letter.window().getByText('terms.txt').waitFor();
    await letter.type('Good news: ');
    await close(letter);
    await other.getByText('Saved in Drafts.').first().waitFor();
    await row('Good news: They arrive on Monday.', other).waitFor();
    // A slow writer is saved in between, so how often it was saved is not known
    const [after, ...others] = await draftsOf(ana);
    expect(after).toMatchObject({ id: before?.id, subject: 'The new looms' });
    expect(after?.version).toBeGreaterThan(before?.version ?? 0);
    expect(others).toEqual([]);
    // The list on the first device follows
    await row('Good news: They arrive on Monday.').waitFor();
    await other.close();
  });

  it('opens one window for a double press, and is not changed by one that is opened and closed', async () => {
    const [before] = await draftsOf(ana);
    await row('The new looms')
      .getByRole('button', { name: /The new looms/ })
      .dblclick();
    await compose.text().getByText('Good news').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(1);
    await close();
    await expect.poll(() => page.getByRole('button', { name: /^Unsent/ }).count()).toBe(0);
    expect(await draftsOf(ana)).toMatchObject([{ id: before?.id, version: before?.version }]);
  });

  it('has both of two versions that were written at the same time, each with its files', async () => {
    const other = await openTab(host, ana);
    const letter = new ComposePage(other);
    await openDrafts(other);
    await openRow('The new looms', other);
    await letter.text().getByText('Good news').waitFor();
    await openRow('The new looms');
    await compose.text().getByText('Good news').waitFor();
    await compose.field('Subject').fill('Mine');
    await close();
    // That it was saved is said of an earlier message too, for ten seconds
    await expect.poll(() => draftsOf(ana)).toMatchObject([{ subject: 'Mine' }]);
    await letter.field('Subject').fill('Theirs');
    await close(letter);
    await other.getByText('This draft was changed elsewhere meanwhile.').first().waitFor();
    const drafts = await draftsOf(ana);
    expect(drafts.map(({ subject }) => subject)).toEqual(['Mine', 'Theirs']);
    for (const { id } of drafts) expect(await DraftAttachment.count({ where: { draftId: String(id) } })).toBe(1);
    await other.close();
  });

  it('loses one that is sent', async () => {
    await openRow('Theirs');
    await compose.text().getByText('Good news').waitFor();
    await compose
      .window()
      .getByRole('button', { name: /^Remove.*half typed/ })
      .click();
    await compose.press('Send');
    await until('the draft is gone', async () => (await draftsOf(ana)).length === 1);
    await expect.poll(() => draftsOf(ana)).toMatchObject([{ subject: 'Mine' }]);
    await compose.window().waitFor({ state: 'detached' });
    await row('Theirs').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Sent' }).click();
    await row('Theirs').getByRole('img', { name: 'Has attachments' }).waitFor();
    await openDrafts();
  });

  it('asks before it is lost, however soon Discard is pressed', async () => {
    await page.evaluate(DISCARD_WHEN_THERE);
    await openRow('Mine');
    const question = page.getByRole('alertdialog', { name: 'Discard this message?' });
    await question.waitFor();
    // The window puts the focus into its text 60 ms after it opened, if the focus is not there
    await page.evaluate(() => new Promise((settle) => setTimeout(settle, 150)));
    expect(await question.evaluate((asked) => asked.contains(asked.ownerDocument.activeElement))).toBe(true);
    await question.getByRole('button', { name: 'Keep writing' }).click();
    await question.waitFor({ state: 'detached' });
    await close();
  });

  it('loses one that is discarded in its window', async () => {
    await openRow('Mine');
    await compose.text().getByText('Good news').waitFor();
    await compose.press('Discard');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
    await compose.window().waitFor({ state: 'detached' });
    await page.getByText('No emails found').waitFor();
    await expect.poll(() => draftsOf(ana)).toEqual([]);
  });

  it('loses several at once, after a question', async () => {
    const owner = { companyId: String(ana.company.id), userId: String(ana.user.id) };
    const lists = { toList: [], ccList: [], bccList: [] };
    for (const subject of ['One', 'Two', 'Three']) await Draft.create({ ...owner, ...lists, subject });
    await page.getByRole('button', { name: 'Refresh' }).click();
    for (const subject of ['One', 'Three']) await page.getByRole('checkbox', { name: `Select ${subject}` }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const question = page.getByRole('alertdialog', { name: 'Delete 2 drafts?' });
    await question.waitFor();
    expect(await problemsInAllLooks(page, 'drafts-delete')).toEqual({});
    await question.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('2 drafts deleted').first().waitFor();
    await until('one is left', async () => (await row('Two').count()) === 1 && (await row('One').count()) === 0);
    expect((await draftsOf(ana)).map(({ subject }) => subject)).toEqual(['Two']);
  });

  it('says so when one was deleted elsewhere, and goes on', async () => {
    // By then the row was pressed: a list that is read anew has it no more
    await page.route('**/mail/draft/get/*', async (route) => {
      await Draft.destroy({ where: { userId: String(ana.user.id) } });
      await route.continue();
    });
    await openRow('Two');
    await page.getByText('This draft is gone: it was sent or deleted elsewhere.').first().waitFor();
    await page.getByText('No emails found').waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^Unsent/ }).count()).toBe(0);
  });
});
