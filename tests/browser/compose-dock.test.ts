import { Draft } from '@selvage/core/models/draft';
import { receive } from '@selvage/core/mailstore/test-messages';
import { systemContext } from '@selvage/core/context/context';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTab } from '../support/browser.ts';
import { ComposePage } from '../support/compose-page.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { keptRecords } from '../support/kept-records.ts';
import { problemsInAllLooks } from '../support/looks.ts';
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
  await page?.context().close();
  ana = await buildMailbox(host.app, { user: { undoMs: 30_500 } });
  await receive(systemContext(host.app), [ana]);
  page = await openTab(host, ana);
  compose = new ComposePage(page);
});

const windows = () => page.getByRole('dialog', { name: /^New Message/ });
const named = (subject: string) => page.getByRole('dialog', { name: `New Message: ${subject}` });
const text = (of: Locator) => of.getByLabel('Message text');
const isOpen = (subject: string) => text(named(subject)).isVisible();
/** The button that opens a window has the focus before its text does. */
const focusIsInText = (subject: string) =>
  text(named(subject)).evaluate((area) => area.contains(area.ownerDocument.activeElement));

/** Opens one more window and writes in it. */
async function write(subject: string): Promise<void> {
  const before = await windows().count();
  await page.getByRole('button', { name: 'Compose Email' }).click();
  await windows().nth(before).waitFor();
  const added = windows().nth(before);
  await added.getByRole('textbox', { name: 'Subject', exact: true }).fill(subject);
  await text(named(subject)).click();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.type(`Words of ${subject}.`);
}

const press = (subject: string, name: string) => named(subject).getByRole('button', { name, exact: true }).click();

describe('windows', { timeout: 120_000 }, () => {
  it('leave the mail behind them usable, by pointer and by keyboard', async () => {
    await write('Looms');
    expect(await problemsInAllLooks(page, 'compose-window')).toEqual({});
    await page.getByRole('link', { name: 'Sent', exact: true }).click();
    await page.getByText('No emails found').waitFor();
    await page
      .getByRole('link', { name: /^Inbox/ })
      .first()
      .click();
    const row = page.getByRole('main').getByRole('listitem').first();
    await row.waitFor();
    // a key of the list, while the focus is in the list
    await row.getByRole('link').focus();
    await page.keyboard.press('x');
    await page.getByText('1 selected').first().waitFor();
    // the same key on a button of the window is nothing to the list
    await named('Looms').getByRole('button', { name: 'Minimise' }).focus();
    await page.keyboard.press('x');
    await page.getByText('1 selected').first().waitFor();
    await text(named('Looms')).getByText('Words of Looms.').waitFor();
  });

  it('stand side by side, and the one that was used least becomes a bar', async () => {
    await write('First');
    await write('Second');
    expect([await isOpen('First'), await isOpen('Second')]).toEqual([true, true]);
    await write('Third');
    await until(
      'there is room for one and two bars',
      async () => !(await isOpen('First')) && !(await isOpen('Second')),
    );
    expect(await problemsInAllLooks(page, 'compose-windows')).toEqual({});
    await press('First', 'Open');
    await expect.poll(() => isOpen('First')).toBe(true);
    await until('the focus is in it', () => focusIsInText('First'));
    await page.keyboard.type('And more. ');
    await expect.poll(() => isOpen('Third')).toBe(false);
    await page.setViewportSize({ width: 1920, height: 900 });
    await until('all are open', async () => (await isOpen('Second')) && (await isOpen('Third')));
    await text(named('First'))
      .getByText(/And more/)
      .waitFor();
    await text(named('Third')).getByText('Words of Third.').waitFor();
  });

  it('fold and unfold, and keep what was written', async () => {
    await write('Folded');
    await press('Folded', 'Minimise');
    await expect.poll(() => isOpen('Folded')).toBe(false);
    await expect
      .poll(() => named('Folded').getByRole('button', { name: 'Open' }).getAttribute('aria-expanded'))
      .toBe('false');
    await page.keyboard.press('Enter');
    await text(named('Folded')).getByText('Words of Folded.').waitFor();
  });

  it('become drafts by Escape, each by itself', async () => {
    await write('One');
    await write('Two');
    await text(named('One')).click();
    await page.keyboard.press('Escape');
    await named('One').waitFor({ state: 'detached' });
    await page.getByText('Saved in Drafts.').first().waitFor();
    const drafts = await Draft.findAll({ where: { userId: ana.user.id } });
    // What is still being written becomes one as well, some seconds after its last word
    expect(drafts.map(({ subject }) => subject).filter((subject) => subject !== 'Two')).toEqual(['One']);
    await text(named('Two')).getByText('Words of Two.').waitFor();
  });

  it('are all there after a reload, as unsent messages', async () => {
    await write('One');
    await write('Two');
    await until('both are kept', async () => (await keptRecords(page, 'selvage-unsent', 'messages')).length === 2);
    await page.reload();
    await page.getByText('You have 2 messages that were not sent.').waitFor();
  });

  it('send with Ctrl+Enter what is written in them, and nothing else', async () => {
    await write('Stays');
    await write('Goes');
    const to = named('Goes').getByRole('combobox', { name: 'To', exact: true });
    await to.fill('priya@remote.test');
    await page.keyboard.press('ControlOrMeta+Enter');
    await named('Goes').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo sending' }).waitFor();
    await text(named('Stays')).getByText('Words of Stays.').waitFor();
  });

  it('keep their buttons free while Undo is offered', async () => {
    for (const subject of ['One', 'Two', 'Goes']) await write(subject);
    await named('Goes').getByRole('combobox', { name: 'To', exact: true }).fill('priya@remote.test');
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.getByRole('button', { name: 'Undo sending' }).waitFor();
    for (const subject of ['One', 'Two']) {
      await text(named(subject)).waitFor();
      await named(subject).getByRole('button', { name: 'Send', exact: true }).click({ trial: true });
    }
    await page.getByRole('button', { name: 'Undo sending' }).click({ trial: true });
  });

  it('ask their questions over all', async () => {
    await write('Asks');
    await press('Asks', 'Send');
    await page.getByRole('alertdialog', { name: 'Missing Recipients' }).waitFor();
    await page.getByRole('button', { name: 'OK', exact: true }).click();
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    // Escape in a menu of the window closes the menu alone
    await press('Asks', 'Schedule');
    await page.getByRole('menuitem', { name: /^Tomorrow/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menuitem', { name: /^Tomorrow/ }).waitFor({ state: 'detached' });
    await expect.poll(() => isOpen('Asks')).toBe(true);
  });

  it('take a file that is dropped on them, each its own', async () => {
    await write('With file');
    await write('Without');
    await named('With file').evaluate(dropFile);
    await named('With file').getByText('dropped.txt').waitFor();
    await expect.poll(() => named('Without').getByText('dropped.txt').count()).toBe(0);
  });
});

describe('the full screen', { timeout: 120_000 }, () => {
  it('is remembered, and left again with all that was written', async () => {
    await write('Large');
    await press('Large', 'Full screen');
    const dialog = page.getByRole('dialog', { name: 'New Message', exact: true });
    await text(dialog).getByText('Words of Large.').waitFor();
    expect(await problemsInAllLooks(page, 'compose-full')).toEqual({});
    await page.keyboard.press('Escape');
    await page.getByText('Saved in Drafts.').first().waitFor();
    await page.reload();
    await compose.open();
    await compose.press('Leave full screen');
    await compose.window().getByRole('button', { name: 'Minimise' }).waitFor();
  });

  it('is all there is on a small screen, and what is written goes along', async () => {
    await write('Moves');
    await page.setViewportSize({ width: 700, height: 800 });
    await text(page.getByRole('dialog', { name: 'New Message', exact: true }))
      .getByText('Words of Moves.')
      .waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Leave full screen' }).count()).toBe(0);
    await page.setViewportSize({ width: 1280, height: 800 });
    await text(named('Moves')).getByText('Words of Moves.').waitFor();
  });

  it('is closed there by the Back button, which leaves the page below as it is', async () => {
    await page.getByRole('link', { name: 'Sent', exact: true }).click();
    await page.getByText('No emails found').waitFor();
    await write('Goes back');
    await page.setViewportSize({ width: 700, height: 800 });
    await text(page.getByRole('dialog', { name: 'New Message', exact: true }))
      .getByText('Words of Goes back.')
      .waitFor();
    await page.evaluate('history.back()');
    await windows().waitFor({ state: 'detached' });
    await page.getByText('Saved in Drafts.').first().waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/dashboard/sent');
    await page.evaluate('history.back()');
    await page.waitForURL('**/dashboard/inbox');
  });
});

/** Runs in the page. */
function dropFile(target: unknown): void {
  const { DataTransfer, DragEvent, File } = globalThis as unknown as Record<string, new (...args: unknown[]) => object>;
  if (!DataTransfer || !DragEvent || !File) throw new Error('not in a page');
  const dataTransfer = new DataTransfer() as { items: { add: (file: object) => void } };
  dataTransfer.items.add(new File(['text'], 'dropped.txt', { type: 'text/plain' }));
  (target as { dispatchEvent: (event: object) => void }).dispatchEvent(
    new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }),
  );
}
