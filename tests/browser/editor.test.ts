import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, signIn } from '../support/browser.ts';
import { buildMailbox } from '../support/factories.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import type { ReachableHost } from '../support/test-host.ts';

let host: ReachableHost;
let page: Page;

beforeAll(async () => {
  host = await sharedWebHost();
  // The page's content policy would stop what the editor has to stop by itself
  page = await (await openBrowser({ hasNoPolicy: true })).newPage();
  await signIn(page, host, await buildMailbox(host.app));
  await page.goto(`${host.url}/dashboard/accountsettings`);
  await page.getByRole('button', { name: 'New signature' }).click();
  await page.getByRole('dialog').getByLabel(/^Name/).fill('Office');
  await page.getByRole('button', { name: 'Create' }).click();
  await editor().click();
});

const editor = () => page.getByLabel('Signature text');

/** Pastes as from another program. */
async function paste(html: string): Promise<void> {
  await page.evaluate(`{
    const data = new DataTransfer();
    data.setData('text/html', ${JSON.stringify(html)});
    data.setData('text/plain', 'plain');
    const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
    document.querySelector('[contenteditable="true"]').dispatchEvent(event);
  }`);
}

/** How the innermost element with a text is shown. */
async function styleOf(text: string, property: string): Promise<unknown> {
  const element = `[...document.querySelectorAll('[contenteditable="true"] *')].findLast((one) => one.textContent.includes('${text}'))`;
  return await page.evaluate(`getComputedStyle(${element}).${property}`);
}

describe('the editor', () => {
  it('runs nothing that is pasted, even without a content policy', async () => {
    await page.evaluate('window.ran = 0');
    const picture = page.waitForResponse((response) => response.url().endsWith('/no-such-picture.png'));
    await paste('<p>Ana of <b>the mill</b></p><img src="/no-such-picture.png" onerror="window.ran += 1">');
    await editor().getByText('the mill').waitFor();
    await picture;
    expect(await editor().innerHTML()).not.toContain('onerror');
    // The error handler of a picture would run right after its answer
    await page.evaluate('new Promise((done) => setTimeout(done))');
    expect(await page.evaluate('window.ran')).toBe(0);
  });

  it('keeps the look of text pasted from mail programs and Word', async () => {
    await paste('<p style="color: rgb(200, 0, 0)">red <i>thread</i></p><ul><li>one</li></ul>');
    await editor().getByText('thread').waitFor();
    await expect.poll(() => styleOf('thread', 'fontStyle')).toBe('italic');
    await expect.poll(() => editor().locator('li').innerText()).toContain('one');
    await paste(
      `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word"><head><meta name="ProgId" content="Word.Document"><style>p.MsoNormal { color: #00f }</style></head><body><!--StartFragment--><p class="MsoNormal">from Word<o:p></o:p></p><!--EndFragment--></body></html>`,
    );
    await editor().getByText('from Word').waitFor();
    await expect.poll(() => styleOf('from Word', 'color')).toBe('rgb(0, 0, 255)');
  });
});
