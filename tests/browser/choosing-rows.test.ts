import { systemContext } from '@selvage/core/context/context';
import { receive } from '@selvage/core/mailstore/test-messages';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openTab } from '../support/browser.ts';
import { buildMailbox } from '../support/factories.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

const ROWS = 8;

let host: ReachableHost;
let page: Page;

beforeAll(async () => {
  host = await sharedWebHost();
  const ana = await buildMailbox(host.app);
  const ctx = systemContext(host.app);
  for (let number = ROWS; number >= 1; number -= 1) await receive(ctx, [ana], { subject: `Bale ${number} of wool` });
  page = await openTab(host, ana);
});

async function openInbox(query = ''): Promise<void> {
  await page.goto(`${host.url}/dashboard/inbox${query}`);
  await page.getByRole('list', { name: 'Messages' }).waitFor();
}

const rowOf = (number: number) => page.getByRole('link', { name: new RegExp(`Bale ${number} of`) });

/** Waits until just these rows are ticked. */
async function isChosen(...numbers: number[]): Promise<void> {
  const names = numbers.map((number) => `Select Bale ${number} of wool`);
  const ticked = page.getByRole('listitem').getByRole('checkbox', { checked: true });
  const labels = () => ticked.evaluateAll((boxes) => boxes.map((box) => box.getAttribute('aria-label')));
  await until(`rows ${numbers.join(' ')} are chosen`, async () => String(await labels()) === String(names) || null);
  expect(page.url()).toContain('/dashboard/inbox');
  expect(page.url()).not.toMatch(/inbox\/\w/);
}

describe('rows of a list', () => {
  it('are chosen one by one with Ctrl or Cmd, and none is opened', async () => {
    await openInbox();
    await rowOf(2).click({ modifiers: ['Control'] });
    await isChosen(2);
    await rowOf(5).click({ modifiers: ['Meta'] });
    await isChosen(2, 5);
    await rowOf(2).click({ modifiers: ['Control'] });
    await isChosen(5);
    expect(page.context().pages()).toHaveLength(1);
  });

  it('are chosen up to the one that is pressed with Shift, also from the row with the focus', async () => {
    await openInbox();
    await rowOf(3).focus();
    await rowOf(6).click({ modifiers: ['Shift'] });
    await isChosen(3, 4, 5, 6);
    expect(await page.evaluate('String(getSelection())')).toBe('');
    await rowOf(1).click({ modifiers: ['Control'] });
    await isChosen(1, 3, 4, 5, 6);
    await page.keyboard.press('Escape');
    await isChosen();
    await rowOf(7).click({ modifiers: ['Shift'] });
    await isChosen(1, 2, 3, 4, 5, 6, 7);
  });

  it('are chosen with keys alone', async () => {
    await openInbox();
    await page.keyboard.press('j');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await isChosen(1, 2, 3);
    await page.keyboard.press('Shift+ArrowUp');
    await isChosen(1, 2);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Control+Space');
    await isChosen(1, 2, 5);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Shift+X');
    await isChosen(1, 2, 5, 6, 7);
    await page.keyboard.press('Control+a');
    await isChosen(1, 2, 3, 4, 5, 6, 7, 8);
    await page.keyboard.press('Escape');
    await isChosen();
  });

  it('opens in a new tab with Ctrl and Enter, as any link', async () => {
    await openInbox();
    await rowOf(4).focus();
    const [tab] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('Control+Enter')]);
    // In Chromium before 156, a wait that begins before the tab has its address never ends
    await until('the message is shown', () => tab.getByRole('heading', { name: 'Bale 4 of wool' }).isVisible());
    await tab.close();
    await isChosen();
  });

  it('unchosen with Ctrl end the choice of all of the folder', async () => {
    await openInbox('?limit=5');
    await rowOf(1).focus();
    await page.keyboard.press('Control+a');
    await page.getByRole('button', { name: `Select all ${ROWS} in Inbox Mail` }).click();
    await page.getByText(`All ${ROWS} conversations in Inbox Mail are selected.`).waitFor();
    await rowOf(2).click({ modifiers: ['Control'] });
    await isChosen(1, 3, 4, 5);
    await page.getByText('4 selected', { exact: true }).waitFor();
    await expect.poll(() => page.getByText(`All ${ROWS} conversations`).count()).toBe(0);
  });
});
