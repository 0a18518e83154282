import type { Locator, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seriousProblems } from '../support/axe.ts';
import { openTab } from '../support/browser.ts';
import { ComposePage } from '../support/compose-page.ts';
import { buildMailbox } from '../support/factories.ts';
import type { ReceivedMessage } from '../support/remote-server.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import { prepareSigning } from '../support/signing.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: ReachableHost;
let page: Page;
let compose: ComposePage;

beforeAll(async () => {
  host = await sharedWebHost();
  const ana = await buildMailbox(host.app, { user: { undoMs: 500 } });
  await prepareSigning(host, ana);
  page = await openTab(host, ana);
});

beforeEach(async () => {
  await page.goto(`${host.url}/dashboard/inbox`);
  compose = new ComposePage(page);
  await compose.open();
});

/** What the foreign server received of a message, once it has come for this many recipients. */
async function received(subject: string, people: number): Promise<{ to: string[]; head: string }> {
  const arrived = (): ReceivedMessage[] =>
    host.remote.received.filter(({ raw }) => raw.includes(`Subject: ${subject}`));
  const all = await until(
    `"${subject}" arrives`,
    () => arrived().flatMap(({ to }) => to).length >= people && arrived(),
  );
  const [head = ''] = (all[0]?.raw.toString() ?? '').split('\r\n\r\n');
  return { to: all.flatMap(({ to }) => to).toSorted(), head };
}

function wrongRecipient(text: string): Locator {
  return compose.window().getByRole('button', { name: `${text}: Email must contain a single @` });
}

async function untilFocused(chip: Locator): Promise<void> {
  await until('the chip has the focus', () =>
    chip.evaluate((element) => element === element.ownerDocument.activeElement),
  );
}

describe('the recipients of a message', () => {
  it('are those that were typed, with their names', async () => {
    await compose.field('To').pressSequentially('Priya Raman priya@remote.test "Li, Bo" <bo@remote.test>;');
    await expect.poll(() => compose.recipients()).toEqual(['Priya Raman, priya@remote.test', 'Li, Bo, bo@remote.test']);
    await compose.field('Subject').fill('Names');
    await compose.type('Hello');
    expect(await seriousProblems(page)).toEqual([]);
    await compose.press('Send');
    const { to, head } = await received('Names', 2);
    expect(to).toEqual(['bo@remote.test', 'priya@remote.test']);
    expect(head).toMatch(/^To: Priya Raman <priya@remote\.test>,\s+"Li, Bo" <bo@remote\.test>\r$/m);

    await page.getByRole('link', { name: 'Sent', exact: true }).click();
    const row = page.getByRole('list', { name: 'Messages' }).getByRole('link').filter({ hasText: 'Names' });
    await row.getByText('To: Priya Raman +1').waitFor();
    await row.click();
    await page.getByText('To: Priya Raman <priya@remote.test>, "Li, Bo" <bo@remote.test>').waitFor();
    const outcome = page.getByRole('row').filter({ hasText: 'bo@remote.test' });
    await outcome.getByText('Sent encrypted.').waitFor();
  });

  it('hold the message up while one of them is not an address', async () => {
    const subject = 'Held up';
    await compose.field('To').pressSequentially('bad address, priya@remote.test,');
    await compose.press('Cc');
    await compose.field('Cc').fill('nobody');
    await compose.field('Subject').fill(subject);
    await compose.type('Hello');
    await compose.press('Send');
    await wrongRecipient('nobody').waitFor();
    await untilFocused(wrongRecipient('bad address'));
    await page.keyboard.press('Delete');
    await compose.press('Send');
    await untilFocused(wrongRecipient('nobody'));
    await page.keyboard.press('Enter');
    await page.keyboard.type('carl@remote.test');
    await compose.press('Send');
    expect((await received(subject, 2)).to).toEqual(['carl@remote.test', 'priya@remote.test']);
  });

  it('come from a pasted list', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const list = 'Raman, Priya <priya@remote.test>; Li, Bo <bo@remote.test>\nAna\tana@remote.test';
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(list)})`);
    await compose.field('To').press('ControlOrMeta+V');
    await expect
      .poll(() => compose.recipients())
      .toEqual(['Raman, Priya, priya@remote.test', 'Li, Bo, bo@remote.test', 'Ana, ana@remote.test']);
    await compose.press('Discard');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
    await compose.window().waitFor({ state: 'detached' });
  });

  it('are asked for when there is none', async () => {
    await compose.press('Send');
    await page.getByText('Please add at least one recipient before sending.').waitFor();
    await page.getByRole('button', { name: 'OK', exact: true }).click();
    await compose.field('To').fill('priya@remote.test');
    await compose.press('Send');
    await page.getByText('Subject or message body is empty. Do you want to send anyway?').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await compose.field('Subject').fill('soon gone');
    await compose.press('Clear All');
    await page
      .getByRole('alertdialog', { name: 'Confirm Deletion' })
      .getByRole('button', { name: 'Clear All' })
      .click();
    await expect.poll(() => compose.field('Subject').inputValue()).toBe('');
    await compose.press('Close');
    await compose.window().waitFor({ state: 'detached' });
    await expect.poll(() => page.getByRole('button', { name: /^Unsent/ }).count()).toBe(0);
  });
});
