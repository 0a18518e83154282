import { Message } from '@selvage/core/models/message';
import { parseMessage } from '@selvage/core/mail/parse-message';
import { readSource } from '@selvage/core/mailstore/message-source';
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBrowser, signIn } from '../support/browser.ts';
import { fromCode, fromExcel, fromWeb, fromWord } from '../support/clipboard-html.ts';
import { paste } from '../support/clipboard.ts';
import { ComposePage } from '../support/compose-page.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: ReachableHost;
let ana: Mailbox;
let page: Page;
let compose: ComposePage;
/** What the page has asked other hosts for. */
const asked: string[] = [];

beforeAll(async () => {
  host = await sharedWebHost();
  ana = await buildMailbox(host.app);
  // The page's content policy would stop what the editor has to stop by itself
  page = await (await openBrowser({ hasNoPolicy: true })).newPage();
  page.on('request', (request) => {
    if (/remote\.test|^file:/.test(request.url())) asked.push(request.url());
  });
  await signIn(page, host, ana);
  compose = new ComposePage(page);
});

beforeEach(async () => {
  await page.goto(`${host.url}/dashboard/inbox`);
  await compose.open();
  await compose.type('x');
});

const html = () => compose.text().innerHTML();
const rows = () =>
  compose
    .text()
    .locator('tr')
    .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent?.trim())));

/** Sends what was pasted, and gives the HTML that arrives. */
async function send(subject: string): Promise<string> {
  return (await sendWhole(subject)).html ?? '';
}

async function sendWhole(subject: string) {
  await compose.field('To').fill(ana.user.email);
  await compose.field('Subject').fill(subject);
  await compose.press('Send');
  const message = await until('it was sent', () =>
    Message.findOne({ where: { subject, fromAddress: ana.user.email } }),
  );
  return await parseMessage(await readSource(host.app, message));
}

async function discard(): Promise<void> {
  await compose.press('Discard');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  // Where a draft was saved meanwhile, the window stays until that is deleted
  await compose.window().waitFor({ state: 'detached' });
}

/** How long the page answers nothing. */
async function longestPause(act: () => Promise<void>): Promise<number> {
  await page.evaluate(`{
    window.longest = 0;
    let last = performance.now();
    window.ticks = setInterval(() => {
      window.longest = Math.max(window.longest, performance.now() - last);
      last = performance.now();
    }, 10);
  }`);
  await act();
  // The tick after a pause measures it
  return await page.evaluate<number>(
    'new Promise((resolve) => setTimeout(resolve, 20)).then(() => (clearInterval(window.ticks), window.longest))',
  );
}

describe('pasting', () => {
  it('keeps the headings, lists and tables of Word without its markup', async () => {
    await paste(compose.text(), { html: fromWord, text: 'Lots of November' });
    await compose.text().getByText('Lots of November').waitFor();
    expect(await rows()).toEqual([
      ['Lot', 'Bales'],
      ['7', '40'],
    ]);
    expect(await compose.text().locator('ul > li').allInnerTexts()).toEqual(['Combed', 'Carded']);
    expect(await html()).not.toMatch(/mso|o:p|v:|<!--|class=|file:|<img|·/i);
    const sent = await send('From Word');
    expect(sent).toMatch(/<h1[^>]*>.*color: ?rgb\(192, 0, 0\)[^>]*>Lots of November/);
    expect(sent).toMatch(/<td style="[^"]*border[^"]*"[^>]*>.*Bales/);
    expect(sent).not.toMatch(/mso|o:p|class=|file:/i);
    expect(asked).toEqual([]);
  });

  it('keeps the cells of Excel with their looks', async () => {
    await paste(compose.text(), { html: fromExcel, text: 'Lot\tPrice\n7\t1,204.50' });
    await compose.text().getByText('1,204.50').waitFor();
    expect(await rows()).toEqual([
      ['Lot', 'Price'],
      ['7', '1,204.50'],
    ]);
    const sent = await send('From Excel');
    expect(sent).toMatch(/<td style="[^"]*background-color: ?rgb\(255, 242, 204\)/);
    expect(sent).toMatch(/text-align: ?right[^>]*>1,204\.50/);
    expect(sent).not.toMatch(/mso|x:num|class=|file:/i);
  });

  it('keeps the spaces of code', async () => {
    await paste(compose.text(), { html: fromCode, text: 'for lot in lots:\n    print(lot)  # one' });
    await compose.text().getByText('print').waitFor();
    expect(await compose.text().innerText()).toMatch(/for lot in lots:\n[ \u00a0]{4}print\(lot\)[ \u00a0]{2}# one/);
    const { html: sent, text } = await sendWhole('From code');
    expect(sent).toMatch(/white-space: ?pre-wrap|&nbsp;|\u00a0/);
    expect(text).toContain('for lot in lots:\n    print(lot)  # one');
  });

  it('gives a text without formats the font that the rest has', async () => {
    await discard();
    await compose.open();
    await compose.text().click();
    await paste(compose.text(), { text: 'First line\n\nThird line' });
    await compose.text().getByText('Third line').waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.type('typed');
    const { html: sent } = await sendWhole('Without formats');
    const lines = [...(sent ?? '').matchAll(/<div style="([^"]*)">(?:<span[^>]*>)?(First|Third|typed)/g)];
    expect(lines.map(([, , word]) => word)).toEqual(['First', 'Third', 'typed']);
    for (const [, style] of lines) expect(style).toMatch(/Segoe UI.*font-size: ?11pt/);
  });

  it('runs nothing and loads nothing of a page', async () => {
    await page.evaluate('window.ran = 0');
    await paste(compose.text(), { html: fromWeb, text: 'Wool prices' });
    await compose.text().getByText('Wool prices').waitFor();
    expect(await rows()).toEqual([
      ['Kind', 'Price'],
      ['Merino', '12'],
    ]);
    expect(await compose.text().getByRole('link', { name: 'all prices' }).getAttribute('href')).toBe(
      'https://remote.test/prices',
    );
    expect(await html()).not.toMatch(/onclick|onload|javascript:|<script|<iframe|<video|<form|<input|url\(/i);
    const sent = await send('From a page');
    expect(sent).not.toMatch(/script|ping=|srcset|style\.png|class=|position/i);
    expect(await page.evaluate('window.ran')).toBe(0);
    expect(asked).toEqual([]);
  });

  it('of 30 MB leaves the page usable and says why nothing was taken', async () => {
    const before = await html();
    for (const kind of ['text', 'html'] as const) {
      const line = kind === 'text' ? 'A line of a very long log\\n' : '<p>A <b>line</b> of a long page</p>';
      const pause = await longestPause(async () => {
        await compose.text().evaluate((element) => element.setAttribute('data-target', ''));
        await page.evaluate(`{
          const long = '${line}'.repeat(31_457_280 / ${line.length});
          const data = new DataTransfer();
          data.setData('text/${kind === 'text' ? 'plain' : 'html'}', long);
          const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
          document.querySelector('[data-target]').dispatchEvent(event);
        }`);
        await page.getByText('What you pasted is too long for the text of a message.').first().waitFor();
      });
      expect.soft(pause, kind).toBeLessThan(3_000);
    }
    expect(await html()).toBe(before);
    await page.keyboard.type('goes on');
    await expect.poll(html).toContain('goes on');
    await discard();
  });

  it('keeps the words of markup that is too large', async () => {
    const markup = `<p style="color: red">Some <b>words</b></p>`;
    await paste(compose.text(), { html: markup.repeat(12_000), text: 'Some words\nand more' });
    await compose.text().getByText('and more').waitFor();
    await page
      .getByText('What you pasted was too large to keep its formatting. Only its text was kept.')
      .first()
      .waitFor();
    expect(await html()).not.toMatch(/<b>|red/);
    await discard();
  });

  it('of 10,000 recipients leaves the page usable and says how many a field takes', async () => {
    const people = (count: number) =>
      Array.from({ length: count }, (_one, index) => `p${index}@remote.test`).join(', ');
    const field = compose.field('To');
    const pause = await longestPause(async () => {
      await paste(field, { text: people(10_000) });
      await page.getByText('A field takes at most 100 recipients. Nothing was added.').first().waitFor();
    });
    expect(pause).toBeLessThan(3_000);
    expect(await compose.recipients()).toEqual([]);
    await paste(field, { text: people(100) });
    await expect.poll(async () => (await compose.recipients()).length).toBe(100);
    await paste(field, { text: 'one@more.test, two@more.test' });
    expect(await compose.recipients()).toHaveLength(100);
    await discard();
  });
});
