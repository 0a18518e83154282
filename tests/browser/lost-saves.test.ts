import { Draft } from '@selvage/core/models/draft';
import { DraftAttachment } from '@selvage/core/models/draft-attachment';
import { Message } from '@selvage/core/models/message';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTab } from '../support/browser.ts';
import { ComposePage } from '../support/compose-page.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { loseAnswers } from '../support/lost-answers.ts';
import { startWebHost, type TestHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

const SAVE = '*/mail/draft/save';

let host: TestHost;
let ana: Mailbox;
let page: Page;
let compose: ComposePage;

beforeAll(async () => {
  host = await startWebHost({ UNDO_MS: '0' });
});

beforeEach(async () => {
  ana = await buildMailbox(host.app);
  page = await openTab(host, ana);
  await page.clock.install();
  compose = new ComposePage(page);
});

const drafts = () => Draft.findAll({ where: { userId: String(ana.user.id) } });
const isSaved = () => untilSaving(compose.window().getByText('Saved', { exact: true }));
const isFailed = () => untilSaving(compose.window().getByText('Not saved in Drafts yet'));
const elsewhere = () => compose.window().getByText('This draft was changed elsewhere meanwhile.');

/** Waits for what a save shows. The times that the page leaves between its saves pass at once. */
async function untilSaving(shown: Locator): Promise<void> {
  const isShown = () =>
    shown.waitFor({ timeout: 1_000 }).then(
      () => true,
      () => false,
    );
  await until(String(shown), async () => {
    if (await isShown()) return true;
    await page.clock.fastForward(8_000);
    return await isShown();
  });
}

async function hasDraft(subject: string, version: number): Promise<Draft> {
  const [draft, ...others] = await drafts();
  expect([draft?.subject, draft?.version, others.length]).toEqual([subject, version, 0]);
  return draft as Draft;
}

/**
 * Does what a person does in the window. None of it is saved before the rest, however long it
 * takes.
 */
async function inOneSave(write: () => Promise<void>): Promise<void> {
  await page.clock.pauseAt(await page.evaluate<number>('Date.now() + 60_000'));
  await write();
  await page.clock.resume();
}

/** Writes a message of which the server makes a draft without an answer. */
async function loseTheFirstSave(): Promise<() => Promise<void>> {
  const end = await loseAnswers(page, SAVE);
  await compose.open();
  await inOneSave(async () => {
    await compose.write({ to: 'priya@remote.test', subject: 'Looms', text: 'They arrive on Monday.' });
    await compose.attach('terms.txt', 'the terms');
  });
  await isFailed();
  await hasDraft('Looms', 1);
  return end;
}

describe('a save whose answer is lost', { timeout: 180_000 }, () => {
  it('is made once, and what was written since is saved after it', async () => {
    const endFirst = await loseTheFirstSave();
    await compose.field('Subject').fill('New looms');
    await endFirst();
    await isSaved();
    const { id } = await hasDraft('New looms', 2);
    expect(await DraftAttachment.count({ where: { draftId: String(id) } })).toBe(1);
    const endSecond = await loseAnswers(page, SAVE);
    await inOneSave(() => compose.type('Good news: '));
    await isFailed();
    await endSecond();
    await isSaved();
    expect((await hasDraft('New looms', 3)).body).toContain('Good news: They arrive');
    expect(await elsewhere().count()).toBe(0);
    await compose.press('Close');
    await compose.window().waitFor({ state: 'detached' });
    await page.getByText('Saved in Drafts.').first().waitFor();
    await hasDraft('New looms', 3);
  });

  it('is known again in a page that comes after it', async () => {
    const end = await loseTheFirstSave();
    await page.goto(`${host.url}/favicon.svg`);
    await end();
    await page.goto(`${host.url}/dashboard/inbox`);
    await page.getByText('You have a message that was not sent.').waitFor();
    await page.getByRole('button', { name: 'Open', exact: true }).first().click();
    await compose.text().getByText('They arrive on Monday.').waitFor();
    await hasDraft('Looms', 1);
    await compose.field('Subject').fill('Looms again');
    await isSaved();
    const { id } = await hasDraft('Looms again', 2);
    expect(await DraftAttachment.count({ where: { draftId: String(id) } })).toBe(1);
  });

  it('leaves no draft when the message is sent or discarded right after it', async () => {
    const endFirst = await loseTheFirstSave();
    await endFirst();
    await compose.press('Send');
    await compose.window().waitFor({ state: 'detached' });
    // The draft may have become a message of this subject before
    await expect.poll(drafts).toEqual([]);
    const sent = { subject: 'Looms', fromAddress: ana.user.email };
    await until('it was sent', async () => (await Message.count({ where: sent })) > 0);
    const endSecond = await loseTheFirstSave();
    await endSecond();
    await compose.press('Discard');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
    await expect.poll(drafts).toEqual([]);
  });

  it('does not hide that the draft was changed elsewhere since', async () => {
    const end = await loseTheFirstSave();
    await Draft.update({ subject: 'Theirs', version: 2, lastSave: 'another' }, { where: { userId: ana.user.id } });
    await compose.field('Subject').fill('Mine');
    await end();
    await untilSaving(elsewhere());
    await hasDraft('Theirs', 2);
    await compose.press('Keep both');
    await isSaved();
    expect((await drafts()).map(({ subject }) => subject).toSorted()).toEqual(['Mine', 'Theirs']);
  });
});
