import { parseMessage } from '@selvage/core/mail/parse-message';
import { readSource } from '@selvage/core/mailstore/message-source';
import { Draft } from '@selvage/core/models/draft';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { Message } from '@selvage/core/models/message';
import { User } from '@selvage/core/models/user';
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTab } from '../support/browser.ts';
import { ComposePage } from '../support/compose-page.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { putIntoInbox } from '../support/put-into-inbox.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: ReachableHost;
let ana: Mailbox;
let page: Page;
let compose: ComposePage;

beforeAll(async () => {
  host = await sharedWebHost();
});

beforeEach(async () => {
  ana = await buildMailbox(host.app, { user: { undoMs: 30_000 } });
  page = await openTab(host, ana);
  compose = new ComposePage(page);
});

afterEach(async () => {
  await page.context().close();
});

const kept = async () => (await User.findByPk(ana.user.id, { rejectOnEmpty: true })).choices;
const value = () => compose.text().inputValue();
const isPlain = () => compose.window().getByRole('button', { name: 'Plain text', pressed: true }).count().then(Boolean);

/** Makes the text plain, and waits until its new field has taken the focus, a moment later. */
async function makePlain(): Promise<void> {
  await compose.press('Plain text');
  await expect.poll(isPlain).toBe(true);
  await until('the text has the focus', () => compose.text().evaluate((one) => one.matches(':focus')));
}

/**
 * The message that was sent, as its readers get it. A draft that its writer pauses in is one as
 * well.
 */
async function sent(subject: string): Promise<{ raw: string; text: string | null; html: string | null }> {
  const message = await until('it was sent', async () => {
    const entries = await MailboxEntry.findAll({ where: { userId: String(ana.user.id), sendStatus: true } });
    return await Message.findOne({ where: { id: entries.map(({ messageId }) => messageId), subject } });
  });
  const raw = await readSource(host.app, message);
  const { text, html } = await parseMessage(raw);
  return { raw: raw.toString(), text, html };
}

/** Puts a message into the inbox, and opens it. */
async function receive(subject: string, body: string): Promise<void> {
  await putIntoInbox(host, ana, { subject, body });
  await page.goto(`${host.url}/dashboard/inbox`);
  await page.getByText(subject).first().click();
  await page.getByRole('heading', { name: subject }).waitFor();
}

describe('a message in plain text', () => {
  it('is sent without formats, and so is the next one', async () => {
    await compose.open();
    await compose.write({ to: ana.user.email, subject: 'Plain', text: 'Lots:' });
    await makePlain();
    await expect.poll(value).toMatch(/^Lots:/);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('Lot  Bales\n  7     40\n<b> & so on');
    expect(await problemsInAllLooks(page, 'plain-text')).toEqual({});
    await compose.press('Send');
    const { raw, text, html } = await sent('Plain');
    expect([text?.trimEnd(), html]).toEqual(['Lot  Bales\n  7     40\n<b> & so on', null]);
    expect(raw).toMatch(/^Content-Type: text\/plain/m);
    await page.reload();
    await compose.open();
    await expect.poll(isPlain).toBe(true);
    await compose.press('Plain text');
    await expect.poll(isPlain).toBe(false);
    await compose.press('Close');
  });

  it('comes back as plain text when it is taken back', async () => {
    await compose.open();
    await makePlain();
    await compose.write({ to: ana.user.email, subject: 'Taken back', text: 'two  spaces\n> quoted' });
    await compose.press('Send');
    await page.getByRole('button', { name: 'Undo' }).click();
    await until('it is there again', async () => (await isPlain()) && (await value()).startsWith('two  spaces'));
    expect((await value()).trimEnd()).toBe('two  spaces\n> quoted');
    await compose.press('Discard');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  });

  it('is plain text again when its draft is opened, here and on another device', async () => {
    const other = await openTab(host, ana);
    const letter = new ComposePage(other);
    const isPlainThere = () => letter.window().getByRole('button', { name: 'Plain text', pressed: true }).count();
    const open = async (tab: Page, subject: string) => {
      await tab.goto(`${host.url}/dashboard/draft`);
      await tab.getByRole('button', { name: new RegExp(subject) }).click();
      await new ComposePage(tab).text().waitFor();
    };
    const texts = { 'Kept plain': '\n Lot  Bales\n  7     40\n<b> & so on, https://x.test\n', 'Kept empty': '' };
    for (const [subject, text] of Object.entries(texts)) {
      await compose.open();
      if (!(await isPlain())) await makePlain();
      await compose.field('Subject').fill(subject);
      await compose.text().fill(text);
      await compose.press('Close');
      await compose.window().waitFor({ state: 'detached' });
      await until('it is a draft', () => Draft.findOne({ where: { subject, userId: String(ana.user.id) } }));
    }
    // What the person chose for the next message says nothing about this one
    await compose.open();
    await compose.press('Plain text');
    await compose.press('Close');
    await until('the server knows it', async () => (await kept())?.['plain_text'] === false);
    for (const [subject, text] of Object.entries(texts)) {
      await open(other, subject);
      // The text comes into its field a moment after the field
      await expect.poll(async () => [await isPlainThere(), await letter.text().inputValue()]).toEqual([1, text]);
      await letter.press('Cc');
      await letter.field('Cc').fill('ben@remote.test');
      await letter.press('Close');
      await letter.window().waitFor({ state: 'detached' });
      await open(page, subject);
      await expect.poll(async () => [await isPlain(), await value()]).toEqual([true, text]);
      await compose.press('Close');
      await compose.window().waitFor({ state: 'detached' });
    }
    await other.context().close();
  });

  it('is what the next message begins with on another device, until it is chosen otherwise there', async () => {
    const other = await openTab(host, ana);
    const letter = new ComposePage(other);
    const isPlainThere = () => letter.window().getByRole('button', { name: 'Plain text', pressed: true }).count();
    for (const [isChosen, count] of [
      [true, 1],
      [false, 0],
    ] as const) {
      await compose.open();
      await compose.press('Plain text');
      await expect.poll(isPlain).toBe(isChosen);
      await compose.press('Close');
      await until('the server knows it', async () => (await kept())?.['plain_text'] === isChosen);
      await other.reload();
      await letter.open();
      await letter.text().waitFor();
      await expect.poll(isPlainThere).toBe(count);
      await letter.press('Close');
    }
    await other.context().close();
  });

  it('says so before formats are lost, and loses none when the person goes back', async () => {
    await compose.open();
    await compose.type('plain ');
    await page.keyboard.press('ControlOrMeta+b');
    await page.keyboard.type('bold');
    await expect.poll(() => compose.text().locator('b').count()).toBe(1);
    await compose.press('Plain text');
    const question = page.getByRole('alertdialog', { name: 'Make this plain text?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await compose.text().locator('b').count()).toBe(1);
    await compose.press('Plain text');
    await question.getByRole('button', { name: 'Make it plain text' }).click();
    await expect.poll(isPlain).toBe(true);
    await expect.poll(value).toMatch(/^plain bold/);
    await compose.press('Discard');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  });

  it('quotes what it answers line by line', async () => {
    await receive('Harvest', '<p>Two <b>lots</b></p><p>See <a href="https://remote.test/lots">the list</a></p>');
    await page.evaluate(`localStorage.setItem('selvage.writing', 'plain')`);
    await page.getByRole('button', { name: 'Reply', exact: true }).first().click();
    await compose.text().waitFor();
    await expect
      .poll(value)
      .toMatch(/Priya <priya@remote\.test> wrote:\n> Two lots\n>\n> See the list <https:\/\/remote\.test\/lots>$/);
    await compose.type('Yes.');
    await compose.press('Send');
    const { text, html } = await sent('Re: Harvest');
    expect(html).toBeNull();
    expect(text).toMatch(/^Yes\.[^]*\n> Two lots\n>\n> See the list/);
  });
});
