import { Delivery } from '@selvage/core/models/delivery';
import { Draft } from '@selvage/core/models/draft';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { Message } from '@selvage/core/models/message';
import { Op } from 'sequelize';
import type { BrowserContext, Page, Route } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seriousProblems } from '../support/axe.ts';
import { openBrowser, signIn } from '../support/browser.ts';
import { ComposePage } from '../support/compose-page.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { loseAnswers } from '../support/lost-answers.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import { prepareSigning } from '../support/signing.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: ReachableHost;
let ana: Mailbox;
let browser: BrowserContext;
let page: Page;
let compose: ComposePage;

beforeAll(async () => {
  host = await sharedWebHost();
  ana = await buildMailbox(host.app, { user: { undoMs: 90_500 } });
  await prepareSigning(host, ana);
  browser = await openBrowser();
  page = await browser.newPage();
  await signIn(page, host, ana);
});

beforeEach(async () => {
  await turnPage('/favicon.svg');
  await forgetUnsent();
  await page.goto(`${host.url}/dashboard/inbox`);
});

const SEND = '*/api/v1/mail/send';
const FIND = '**/api/v1/mail/send/*';
const UNDO = '*/api/v1/mail/undo_send/*';
const DRAFT = '**/api/v1/mail/draft/get/*';

/** Closes the page and opens another one, over a line that works. */
async function turnPage(path = '/dashboard/inbox'): Promise<void> {
  await page.close();
  page = await browser.newPage();
  compose = new ComposePage(page);
  await page.goto(`${host.url}${path}`);
}

/** The page of the test before may have been closed before it had forgotten its messages. */
async function forgetUnsent(): Promise<void> {
  await page.evaluate(`Promise.all(['selvage-unsent', 'selvage-unsent-files'].map((name) =>
    new Promise((resolve, reject) => {
      const deletion = indexedDB.deleteDatabase(name);
      deletion.onsuccess = resolve;
      deletion.onerror = () => reject(deletion.error);
    })))`);
}

/** The call does not reach the server. */
const loseCall = (route: Route): Promise<void> => route.abort('connectionreset');

const letter = (subject: string) => ({ to: 'priya@remote.test', subject, text: `All about ${subject}.` });
const undo = () => page.getByRole('button', { name: 'Undo sending' });
const countdown = () => page.getByText(/^Sending in [1-9]\d seconds\.\.\.$/);
const unsent = () => page.getByRole('button', { name: /^Unsent/ });

/** The page asks by itself as well, and takes the button away once it has the answer. */
async function askNow(): Promise<void> {
  const button = compose.window().getByRole('button', { name: 'Ask now' });
  await button.click({ timeout: 5_000 }).catch(async (error: unknown) => {
    if ((await button.count()) > 0) throw error;
  });
}

async function write(subject: string): Promise<void> {
  await compose.open();
  await compose.write(letter(subject));
}

/** How many messages are in Sent, and to how many people they go; a draft is not sent. */
async function sent(subject: string): Promise<[messages: number, deliveries: number]> {
  const messages = await Message.findAll({ where: { subject, fromAddress: ana.user.email } });
  const messageId = messages.map(({ id }) => id);
  const deliveries = await Delivery.count({ where: { messageId, state: { [Op.ne]: 'cancelled' } } });
  return [await MailboxEntry.count({ where: { messageId, sendStatus: true } }), deliveries];
}

/** The window shows the message as it was written. */
async function isBack(subject: string): Promise<void> {
  await compose.text().getByText(`All about ${subject}.`).waitFor();
  await expect.poll(() => compose.field('Subject').inputValue()).toBe(subject);
  await expect.poll(() => compose.recipients()).toEqual(['priya@remote.test']);
}

async function discard(): Promise<void> {
  await compose.press('Discard');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
}

/** A message that was taken back in a page that did not learn it. */
async function cutUndoShort(subject: string): Promise<void> {
  await write(subject);
  await compose.press('Send');
  await countdown().waitFor();
  await loseAnswers(page, UNDO);
  await page.route(FIND, loseCall);
  await undo().click();
  await page.getByText('We do not know yet whether this was taken back.').waitFor();
}

describe('a message that was sent', () => {
  it('can be taken back with a key for as long as the server says, and sent again', async () => {
    await write('Back by key');
    await compose.press('Send');
    await countdown().waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await page.keyboard.press('z');
    await isBack('Back by key');
    await expect.poll(() => sent('Back by key')).toEqual([0, 0]);
    await compose.press('Send');
    await countdown().waitFor();
    await expect.poll(() => sent('Back by key')).toEqual([1, 1]);
    expect(await Draft.count({ where: { userId: String(ana.user.id) } })).toBe(0);
  });

  it('has the focus when it was taken back, also where the list of drafts comes back with it', async () => {
    await write('From the drafts');
    await compose.press('Close');
    await page.getByRole('link', { name: 'Drafts' }).click();
    const draft = page.getByRole('listitem').getByRole('button', { name: /From the drafts/ });
    await draft.click();
    await compose.text().getByText('All about From the drafts.').waitFor();
    await compose.text().click();
    await page.keyboard.press('ControlOrMeta+Enter');
    await countdown().waitFor();
    await page.getByText('No emails found').waitFor();
    await page.keyboard.press('z');
    await isBack('From the drafts');
    await draft.waitFor();
    const isInWindow = () => compose.text().evaluate((text) => text.contains(text.ownerDocument.activeElement));
    await expect.poll(isInWindow).toBe(true);
    await discard();
  });

  it('is taken back while another message is being written, and both are there', async () => {
    await write('First');
    await compose.press('Send');
    await countdown().waitFor();
    await page.keyboard.press('c');
    await compose.press('Full screen');
    await compose.write(letter('Second'));
    // within the window, so that the keyboard reaches it
    await compose.window().getByRole('button', { name: 'Undo sending' }).focus();
    expect(await seriousProblems(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await isBack('First');
    await compose.window().getByText('1 more message is open behind this one').waitFor();
    await discard();
    await isBack('Second');
    await compose.press('Leave full screen');
    await compose.window().getByRole('button', { name: 'Minimise' }).waitFor();
    await isBack('Second');
    await discard();
    await compose.window().waitFor({ state: 'detached' });
  });

  it('stays at hand when it was taken back and could not be opened', async () => {
    await write('Out of reach');
    await compose.press('Send');
    await page.route(DRAFT, loseCall);
    await undo().click();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await unsent().waitFor();
    await expect.poll(() => sent('Out of reach')).toEqual([0, 0]);
    // it outlives the page
    await turnPage();
    await unsent().click();
    await page.getByRole('button', { name: 'Open Out of reach' }).click();
    await isBack('Out of reach');
    await discard();
    await unsent().waitFor({ state: 'detached' });
  });

  it('comes back when the answer to the undo is lost', async () => {
    await write('Answer to undo lost');
    await compose.press('Send');
    await loseAnswers(page, UNDO);
    await undo().click();
    await isBack('Answer to undo lost');
    await discard();
  });

  it('comes back after the page was closed in the middle of the undo', async () => {
    await cutUndoShort('Undo cut short');
    await turnPage();
    await unsent().click();
    await page.getByRole('button', { name: 'Open Undo cut short' }).click();
    await isBack('Undo cut short');
    await discard();
  });

  it('is open as the draft that it has become when the answer comes just after it was opened', async () => {
    await cutUndoShort('Opened early');
    await turnPage('/favicon.svg');
    const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route(FIND, async (route) => {
      asked.resolve();
      await answered.promise;
      await route.continue();
    });
    await page.goto(`${host.url}/dashboard/inbox`);
    await unsent().click();
    await asked.promise;
    const draft = page.waitForResponse(DRAFT);
    await page.getByRole('button', { name: 'Open Opened early' }).click();
    answered.resolve();
    await draft;
    await isBack('Opened early');
    await discard();
  });
});

describe('a message whose sending got no answer', () => {
  it('is not sent a second time when the server has it', async () => {
    await write('Answer lost');
    await loseAnswers(page, SEND);
    await compose.press('Send');
    await countdown().waitFor();
    await compose.window().waitFor({ state: 'detached' });
    await expect.poll(() => sent('Answer lost')).toEqual([1, 1]);
    await expect.poll(() => page.getByText('Nothing was sent').count()).toBe(0);
  });

  it('is called unsent only once the server says so, and is then sent once', async () => {
    await write('Call lost');
    await page.route(`**${SEND.slice(1)}`, loseCall);
    await compose.press('Send');
    await compose.window().getByText('Nothing was sent, and your text is still here.').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await expect.poll(() => sent('Call lost')).toEqual([0, 0]);
    await page.unrouteAll();
    await compose.press('Send');
    await countdown().waitFor();
    await expect.poll(() => sent('Call lost')).toEqual([1, 1]);
  });

  it('is asked for until the server answers', async () => {
    await write('Nothing known');
    await loseAnswers(page, SEND);
    await page.route(FIND, loseCall);
    await compose.press('Send');
    await compose.window().getByText('We do not know yet whether this was sent. We are asking the server.').waitFor();
    await expect.poll(() => page.getByText('Nothing was sent').count()).toBe(0);
    expect(await seriousProblems(page)).toEqual([]);
    await page.unrouteAll();
    await askNow();
    await countdown().waitFor();
    await expect.poll(() => sent('Nothing known')).toEqual([1, 1]);
  });

  it('is asked for by the next page when this one is closed', async () => {
    await write('Page closed');
    await loseAnswers(page, SEND);
    await page.route(FIND, loseCall);
    await compose.press('Send');
    await compose.window().getByText('We do not know yet whether this was sent.').waitFor();
    await turnPage();
    await countdown().waitFor();
    await unsent().waitFor({ state: 'detached' });
    await expect.poll(() => sent('Page closed')).toEqual([1, 1]);
  });

  it('stays, with what was changed meanwhile, when it turns out to be sent', async () => {
    await write('Changed meanwhile');
    await loseAnswers(page, SEND);
    await page.route(FIND, loseCall);
    await compose.press('Send');
    await compose.window().getByText('We do not know yet whether this was sent.').waitFor();
    await compose.type('More. ');
    await page.unrouteAll();
    await askNow();
    await compose.window().getByText('This was sent as it was before your last changes.').waitFor();
    await compose.text().getByText('More. All about Changed meanwhile.').waitFor();
    await expect.poll(() => sent('Changed meanwhile')).toEqual([1, 1]);
    await discard();
  });
});

describe('a message that the server refuses', () => {
  it('stays as it was written, with the reason', async () => {
    await write('Too many');
    // No field has more than it takes, and all of them together have more than a message may have
    const people = Array.from({ length: 101 }, (_, index) => `p${index}@remote.test`);
    await compose.field('To').fill(`${people.slice(0, 60).join(', ')},`);
    await compose.window().getByRole('button', { name: 'Cc', exact: true }).click();
    await compose.field('Cc').fill(`${people.slice(60).join(', ')},`);
    await compose.press('Send');
    await compose
      .window()
      .getByText('At most 100 recipients. Nothing was sent, and your text is still here.')
      .waitFor();
    await until('all recipients are there', async () => {
      const [to, cc] = [await compose.recipients(), await compose.recipients('Cc')];
      return to.length === 61 && cc.length === 41;
    });
    await discard();
  });
});
