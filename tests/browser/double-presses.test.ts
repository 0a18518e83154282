import { receive } from '@selvage/core/mailstore/test-messages';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { systemContext } from '@selvage/core/context/context';
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTab } from '../support/browser.ts';
import { ComposePage } from '../support/compose-page.ts';
import { buildMailbox } from '../support/factories.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: ReachableHost;
let page: Page;
let entryId: string;

beforeAll(async () => {
  host = await sharedWebHost();
});

beforeEach(async () => {
  const ana = await buildMailbox(host.app);
  const { entryIds } = await receive(systemContext(host.app), [ana], { subject: 'Pressed twice' });
  entryId = entryIds[0] ?? '';
  page = await openTab(host, ana);
  await page.goto(`${host.url}/dashboard/inbox/${entryId}`);
  await page.getByRole('heading', { name: 'Pressed twice' }).waitFor();
});

const entry = () => MailboxEntry.findByPk(entryId, { rejectOnEmpty: true });

/** Presses a button of the open message, and what it has become as soon as the page shows that. */
const pressTwice = (name: string, then: string): Promise<unknown> =>
  page.evaluate(`(() => {
    const find = (name) => document.querySelector('[role=toolbar] button[aria-label="' + name + '"]');
    new MutationObserver((_changes, watch) => {
      const second = find('${then}');
      if (!second) return;
      watch.disconnect();
      document.documentElement.dataset.pressed = 'twice';
      second.click();
    }).observe(document.body, { childList: true, subtree: true, attributes: true });
    find('${name}').click();
  })()`);

describe('a second press', { timeout: 60_000 }, () => {
  it.each([
    ['Archive', 'Un Archive', 'archiveStatus'],
    ['Delete', 'Restore', 'trashStatus'],
  ] as const)('of %s does not take back the first while the list is on its way', async (name, then, flag) => {
    await page.getByRole('button', { name, exact: true }).waitFor();
    await pressTwice(name, then);
    await page.getByText('No emails found').waitFor();
    expect(await page.evaluate('document.documentElement.dataset.pressed')).toBe('twice');
    await until('the flag is set', async () => (await entry())[flag]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await until('the flag is taken back', async () => !(await entry())[flag]);
  });

  it('of Reply opens no second window', async () => {
    const compose = new ComposePage(page);
    // Its code is there from now on
    await page.getByRole('button', { name: 'Compose Email' }).click();
    // The focus is in the window only a moment after the window is there
    await compose.text().press('Escape');
    await compose.window().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Reply', exact: true }).dblclick();
    await compose.text().waitFor();
    await page.keyboard.type('Once.');
    await compose.text().getByText('Once.').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(1);
  });
});
