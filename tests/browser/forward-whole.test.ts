import { parseMessage } from '@selvage/core/mail/parse-message';
import { readSource } from '@selvage/core/mailstore/message-source';
import { Message } from '@selvage/core/models/message';
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTab } from '../support/browser.ts';
import { ComposePage } from '../support/compose-page.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
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
  ana = await buildMailbox(host.app);
  await putIntoInbox(host, ana, { subject: 'Lots: a/b "7"', type: 'text/plain', body: 'Jürgen has 40 bales.' });
  await putIntoInbox(host, ana, { subject: 'Second', type: 'text/plain', body: 'Second text.' });
  await putIntoInbox(host, ana, {
    subject: 'Large',
    type: 'text/plain',
    body: `Pages\r\n${`${'x'.repeat(900)}\r\n`.repeat(12_000)}`,
  });
  page = await openTab(host, ana);
  compose = new ComposePage(page);
});

beforeEach(async () => {
  await page.goto(`${host.url}/dashboard/inbox`);
});

const files = () => compose.window().getByRole('list', { name: 'Attachments' }).getByRole('listitem');

/** The files of the message that was sent. */
async function sentFiles(subject: string) {
  const message = await until('it was sent', () =>
    Message.findOne({ where: { subject, fromAddress: ana.user.email } }),
  );
  return (await parseMessage(await readSource(host.app, message), { keepContent: () => true })).attachments;
}

describe('forwarding as an attachment', () => {
  it('carries the open message as it came, under a name from its subject', async () => {
    await page.getByText('Lots: a/b "7"').first().click();
    await page.getByRole('button', { name: 'More', exact: true }).last().click();
    await page.getByRole('menuitem', { name: 'Forward as attachment' }).click();
    await expect.poll(() => files().allInnerTexts()).toEqual([expect.stringContaining('Lots- a-b -7-.eml')]);
    expect(await compose.field('Subject').inputValue()).toBe('Fwd: Lots: a/b "7"');
    await compose.field('To').fill(ana.user.email);
    await compose.type('See this.');
    await compose.press('Send');
    const [file, ...others] = await sentFiles('Fwd: Lots: a/b "7"');
    expect(others).toEqual([]);
    expect(file).toMatchObject({ filename: 'Lots- a-b -7-.eml', contentType: 'message/rfc822' });
    expect(await parseMessage(file?.content ?? Buffer.alloc(0))).toMatchObject({
      subject: 'Lots: a/b "7"',
      from: { address: 'priya@remote.test' },
      text: expect.stringContaining('Jürgen has 40 bales.'),
    });
  });

  it('carries all chosen messages, and says which is too large', async () => {
    for (const subject of ['Second', 'Large']) await page.getByRole('checkbox', { name: new RegExp(subject) }).check();
    const bar = page.getByRole('toolbar', { name: 'Selected messages' });
    await bar.getByRole('button', { name: 'Forward as 2 attachments' }).click();
    await compose.window().getByText('“Large.eml” is too large: a file may have at most 10 MB.').waitFor();
    await expect.poll(() => files().allInnerTexts()).toEqual([expect.stringContaining('Second.eml')]);
    await compose.field('To').fill(ana.user.email);
    await compose.field('Subject').fill('Chosen ones');
    await compose.type('Here.');
    await compose.press('Send');
    expect((await sentFiles('Chosen ones')).map(({ filename }) => filename)).toEqual(['Second.eml']);
  });

  it('is in the menu of a row', async () => {
    await page.getByText('Second').first().click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Forward as attachment' }).click();
    await expect.poll(() => files().allInnerTexts()).toEqual([expect.stringContaining('Second.eml')]);
    await compose.press('Discard');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  });
});
