import { systemContext } from '@selvage/core/context/context';
import { receive } from '@selvage/core/mailstore/test-messages';
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seriousProblems } from '../support/axe.ts';
import { openTab } from '../support/browser.ts';
import { ComposePage } from '../support/compose-page.ts';
import { buildMailbox } from '../support/factories.ts';
import { layoutProblems } from '../support/page-layout.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

const ROWS = 12;

let host: ReachableHost;
let page: Page;

beforeAll(async () => {
  host = await sharedWebHost();
});

beforeEach(async () => {
  const ana = await buildMailbox(host.app);
  for (let number = 1; number <= ROWS; number += 1) {
    await receive(systemContext(host.app), [ana], { subject: `Message ${number} about wool` });
  }
  page = await openTab(host, ana);
  await page.goto(`${host.url}/dashboard/inbox?limit=10`);
});

async function chooseView(name: string): Promise<void> {
  await page.getByRole('button', { name: 'View options' }).click();
  await page.getByRole('menuitemradio', { name }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
}

const rowOf = (number: number) => page.getByRole('link', { name: new RegExp(`Message ${number} about`) });
const headingOf = (number: number) => page.getByRole('heading', { name: `Message ${number} about wool` });
const markedRow = () => page.locator('[data-row-link][aria-current]');

/** Waits until a message is open beside the list. */
async function isOpen(number: number): Promise<void> {
  await headingOf(number).waitFor();
  await page.waitForURL(/\/dashboard\/inbox\/\d+$/);
  await until(
    'its row is marked',
    async () => (await markedRow().textContent())?.includes(`Message ${number} `) || null,
  );
  await expect.poll(() => page.getByRole('list', { name: 'Messages' }).count()).toBe(1);
}

describe('the reading pane', () => {
  it('is off at first: a row opens a page of its own', async () => {
    await rowOf(12).click();
    await headingOf(12).waitFor();
    await expect.poll(() => page.getByRole('list', { name: 'Messages' }).count()).toBe(0);
    await expect.poll(() => page.getByRole('separator').count()).toBe(0);
  });

  it('keeps the list beside the message, with its ticks, and the address is that of the message', async () => {
    await chooseView('Right');
    await page.getByText('No message is open').waitFor();
    await page.getByRole('checkbox', { name: 'Select Message 11 about wool' }).check();
    await rowOf(12).click();
    await isOpen(12);
    // what a person reads by the list keeps the focus in the list
    expect(await rowOf(12).evaluate((link) => link.ownerDocument.activeElement === link)).toBe(true);
    await expect.poll(() => page.title()).toContain('Message 12 about wool');
    await rowOf(10).click();
    await isOpen(10);
    await expect
      .poll(() => page.getByRole('checkbox', { name: 'Select Message 11 about wool' }).isChecked())
      .toBe(true);
    expect([...(await layoutProblems(page)), ...(await seriousProblems(page))]).toEqual([]);
    // a link to it, or a reload, shows both
    await page.reload();
    await isOpen(10);
    await page.goBack();
    await isOpen(12);
    await page.goBack();
    await page.getByText('No message is open').waitFor();
    await expect.poll(() => markedRow().count()).toBe(0);
    await page.goForward();
    await isOpen(12);
    await page.keyboard.press('u');
    await page.getByText('No message is open').waitFor();
    await until('the focus is at its row', () => rowOf(12).evaluate((link) => link.matches(':focus') || null));
  });

  it('has room for the head of its list, also while messages are unsent and rows are ticked', async () => {
    const compose = new ComposePage(page);
    await compose.open();
    await compose.write({ to: 'bea@remote.test', subject: 'Later', text: 'Not now.' });
    await page.reload();
    await page.getByRole('button', { name: 'Later', exact: true }).click();
    await chooseView('Right');
    const unsent = page.getByRole('button', { name: /^Unsent/ });
    await unsent.waitFor();
    expect(await layoutProblems(page)).toEqual([]);
    await page.getByRole('checkbox', { name: 'Select Message 12 about wool' }).check();
    // the actions take their place
    await unsent.waitFor({ state: 'detached' });
    expect(await layoutProblems(page)).toEqual([]);
  });

  it('goes on by j and k, and to the next message after archiving', async () => {
    await chooseView('Right');
    await rowOf(12).click();
    await isOpen(12);
    await page.keyboard.press('j');
    await isOpen(11);
    await page.keyboard.press('j');
    await isOpen(10);
    await page.keyboard.press('k');
    await isOpen(11);
    await page.keyboard.press('e');
    await isOpen(10);
    await rowOf(11).waitFor({ state: 'detached' });
    // ticked rows are meant before the open message
    await page.getByRole('checkbox', { name: 'Select Message 12 about wool' }).check();
    await page.keyboard.press('#');
    await rowOf(12).waitFor({ state: 'detached' });
    await isOpen(10);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await rowOf(12).waitFor();
    // across the end of the page, once the next one is known
    await rowOf(2).waitFor();
    for (const number of [9, 8, 7, 6, 5, 4, 3, 2, 1]) {
      await page.getByRole('button', { name: 'Next message', disabled: false }).waitFor();
      await page.keyboard.press('j');
      await isOpen(number);
    }
    await page.getByText('11–11 of 11').waitFor();
  });

  it('may be off, and a message that was archived leads to the one before, as the person chooses', async () => {
    await chooseView('Open the previous message');
    await rowOf(10).click();
    await headingOf(10).waitFor();
    await page.keyboard.press('e');
    await headingOf(11).waitFor();
  });

  it('stands below as well, and the divider is moved by keys and by hand, and remembered', async () => {
    await chooseView('Bottom');
    await rowOf(12).click();
    await isOpen(12);
    const divider = page.getByRole('separator', { name: 'Width of the list and the message' });
    const share = async () => Number(await divider.getAttribute('aria-valuenow'));
    await expect.poll(() => divider.getAttribute('aria-orientation')).toBe('horizontal');
    await divider.focus();
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => share()).toBe(43);
    await page.keyboard.press('End');
    await expect.poll(() => share()).toBe(70);
    const { x = 0, y = 0, width = 0 } = (await divider.boundingBox()) ?? {};
    await page.mouse.move(x + width / 2, y + 4);
    await page.mouse.down();
    await page.mouse.move(x + width / 2, y - 150, { steps: 4 });
    await page.mouse.up();
    await expect.poll(async () => (await share()) > 40 && (await share()) < 60).toBe(true);
    expect([...(await layoutProblems(page)), ...(await seriousProblems(page))]).toEqual([]);
    const dragged = await share();
    await page.reload();
    await isOpen(12);
    await expect.poll(() => share()).toBe(dragged);
  });

  it('is off where there is no room, and for a message that was found by a search', async () => {
    await chooseView('Right');
    await rowOf(12).click();
    await isOpen(12);
    await page.setViewportSize({ width: 1000, height: 800 });
    await page.getByRole('list', { name: 'Messages' }).waitFor({ state: 'detached' });
    await headingOf(12).waitFor();
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await rowOf(12).waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${host.url}/dashboard/search?q=wool`);
    await page.getByRole('list', { name: 'Results' }).getByRole('link').first().click();
    await page.getByRole('button', { name: 'Reply', exact: true }).waitFor();
    await expect.poll(() => page.getByRole('separator').count()).toBe(0);
  });
});
