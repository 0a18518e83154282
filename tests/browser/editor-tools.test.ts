import { Message } from '@selvage/core/models/message';
import { parseMessage } from '@selvage/core/mail/parse-message';
import { readSource } from '@selvage/core/mailstore/message-source';
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBrowser, openTab, signIn } from '../support/browser.ts';
import { ComposePage } from '../support/compose-page.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
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
  ana = await buildMailbox(host.app);
  page = await openTab(host, ana);
  compose = new ComposePage(page);
});

beforeEach(async () => {
  await page.goto(`${host.url}/dashboard/inbox`);
  await compose.open();
});

const tools = () => compose.window().getByRole('toolbar', { name: 'Text format' });
const tool = (name: string) => tools().getByRole('button', { name, exact: true });
const html = () => compose.text().innerHTML();

async function choose(button: string, item: string): Promise<void> {
  await tool(button).click();
  await page.getByRole('menu', { name: button }).getByText(item, { exact: true }).click();
  await until('the text has the focus again', async () => {
    return await page.evaluate<boolean>('document.activeElement?.isContentEditable === true');
  });
}

/** Selects the last so many letters. */
async function selectBack(letters: number): Promise<void> {
  for (let count = 0; count < letters; count += 1) await page.keyboard.press('Shift+ArrowLeft');
}

/** The HTML of the message that was sent. */
async function sentHtml(subject: string): Promise<string> {
  const message = await until('it was sent', () =>
    Message.findOne({ where: { subject, fromAddress: ana.user.email } }),
  );
  return (await parseMessage(await readSource(host.app, message))).html ?? '';
}

async function discard(): Promise<void> {
  await compose.press('Discard');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
}

describe('the tools of the text', () => {
  it('make colours, marks, sizes, alignment and direction, which all arrive', async () => {
    await compose.write({ to: ana.user.email, subject: 'All looks', text: 'plain red' });
    await selectBack(3);
    await choose('Text colour', 'Red');
    await choose('Highlight', 'Yellow');
    await choose('Font size', 'Large');
    await tool('Font size').click();
    await expect.poll(() => page.getByRole('menuitemradio', { name: 'Large', checked: true }).count()).toBe(1);
    await page.keyboard.press('Escape');
    await choose('Alignment', 'Centre');
    await page.keyboard.press('End');
    await until('nothing is selected', () => page.evaluate<boolean>('getSelection().isCollapsed'));
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    await page.keyboard.press('Enter');
    await page.keyboard.type('from the right');
    await tool('Right to left').click();
    await expect.poll(() => tool('Right to left').getAttribute('aria-pressed')).toBe('true');
    expect(await problemsInAllLooks(page, 'editor-tools')).toEqual({});
    await compose.press('Send');
    const sent = await sentHtml('All looks');
    expect(sent).toMatch(/<span style="[^"]*color: rgb\(179, 38, 30\)[^"]*">red/);
    expect(sent).toMatch(/<span style="[^"]*background-color: rgb\(255, 243, 163\)[^"]*">red/);
    expect(sent).toMatch(/<span style="[^"]*font-size: 14pt[^"]*">red/);
    expect(sent).toMatch(/<div style="[^"]*text-align: center/);
    expect(sent).toMatch(/<div style="[^"]*direction: rtl/);
  });

  it('make a table by the keyboard, and add and delete its rows and columns', async () => {
    await compose.write({ to: ana.user.email, subject: 'A table', text: 'Lots:' });
    await page.keyboard.press('Alt+F10');
    await page.keyboard.press('Home');
    for (let count = 0; count < 20; count += 1) {
      if (await tool('Insert table').evaluate((one) => one === one.ownerDocument.activeElement)) break;
      await page.keyboard.press('ArrowRight');
    }
    await page.keyboard.press('Enter');
    // The arrows are for the square that has the focus, which comes after the squares
    await page.getByRole('grid', { name: 'Size of the table' }).locator(':focus').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    const two = page.getByRole('button', { name: '2 × 2', exact: true });
    await until('the square has the focus', () => two.evaluate((one) => one === one.ownerDocument.activeElement));
    await page.keyboard.press('Enter');
    const cells = compose.text().locator('td');
    await expect.poll(() => cells.count()).toBe(4);
    await tool('Table').waitFor();
    await page.keyboard.type('Lot');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Bales');
    await expect
      .poll(() => cells.allInnerTexts())
      .toEqual(['Lot', 'Bales', '\n', '\n'].map((text) => expect.stringContaining(text.trim())));
    await choose('Table', 'Insert row below');
    await expect.poll(() => cells.count()).toBe(6);
    await choose('Table', 'Insert column right');
    await expect.poll(() => cells.count()).toBe(9);
    await choose('Table', 'Delete column');
    await choose('Table', 'Delete row');
    await expect.poll(() => cells.count()).toBe(4);
    expect(await problemsInAllLooks(page, 'editor-table')).toEqual({});
    await compose.press('Send');
    const sent = await sentHtml('A table');
    expect(sent.match(/<td/g)?.length).toBe(4);
    expect(sent).toMatch(/<td style="[^"]*border/);
    expect(sent).toMatch(/<table[^>]*style="[^"]*border-collapse: collapse/);
  });

  it('take a table away, and give it back by undo', async () => {
    await compose.type('Lots:');
    await tool('Insert table').click();
    await page.getByRole('button', { name: '3 × 4', exact: true }).click();
    await expect.poll(() => compose.text().locator('td').count()).toBe(12);
    await choose('Table', 'Delete table');
    await expect.poll(() => compose.text().locator('table').count()).toBe(0);
    await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(() => compose.text().locator('td').count()).toBe(12);
    await discard();
  });

  it('are left by Tab, as the text is', async () => {
    await compose.type('words');
    await page.keyboard.press('Tab');
    await until('another control has the focus', async () => {
      return await page.evaluate<boolean>('document.activeElement?.isContentEditable === false');
    });
    expect(await html()).not.toMatch(/ {2}|&nbsp;|margin/);
    await discard();
  });

  it('are behind a button on a phone, where they fit', async () => {
    const phone = await (await openBrowser({ width: 390, height: 800 })).newPage();
    await signIn(phone, host, ana);
    const small = new ComposePage(phone);
    await small.open();
    await small.type('green');
    await small.press('Text format');
    await small.text().click();
    await phone.keyboard.press('ControlOrMeta+a');
    const bar = small.window().getByRole('toolbar', { name: 'Text format' });
    expect((await bar.boundingBox())?.height).toBeLessThan(48);
    await small.press('More text formats');
    await small.press('Text colour');
    await phone.getByRole('menuitemradio', { name: 'Green' }).click();
    await expect
      .poll(() => small.text().locator('span', { hasText: 'green' }).first().getAttribute('style'))
      .toContain('rgb(30, 107, 58)');
    expect(await problemsInAllLooks(phone, 'editor-phone')).toEqual({});
  });
});
