import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { seriousProblems } from '../support/axe.ts';
import { openTab } from '../support/browser.ts';
import { ComposePage } from '../support/compose-page.ts';
import { buildGroup, buildMailbox, type Mailbox } from '../support/factories.ts';
import { layoutProblems } from '../support/page-layout.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import { prepareSigning } from '../support/signing.ts';
import type { ReachableHost } from '../support/test-host.ts';

const shots = process.env['SCREEN_SHOTS'];

let host: ReachableHost;
let ana: Mailbox;
let page: Page;
let compose: ComposePage;

beforeAll(async () => {
  host = await sharedWebHost();
  ana = await buildMailbox(host.app, { local: 'ana', user: { undoMs: 0 } });
  await prepareSigning(host, ana);
  await buildMailbox(host.app, { tenant: ana, local: 'pavel', user: { fname: 'Pavel', lname: 'Novák' } });
  await buildGroup(ana, { local: 'pattern-makers' });
  page = await openTab(host, ana);
  compose = new ComposePage(page);
});

const options = () => compose.window().getByRole('option');
const names = () => options().evaluateAll((all) => all.map(({ textContent }) => (textContent ?? '').split('@')[0]));
const isInField = () => compose.field('To').evaluate((field) => field === field.ownerDocument.activeElement);

describe('an address that is typed', () => {
  it('is completed with colleagues and groups, by keys and by the pointer', async () => {
    await compose.open();
    await compose.field('To').pressSequentially('pa');
    await expect.poll(names).toEqual(['Group Group pattern-makerspattern-makers', 'Pavel Novákpavel']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    const pavel = `Pavel Novák, pavel@${ana.domain.domainName}`;
    await expect.poll(() => compose.recipients()).toEqual([pavel]);
    expect(await isInField()).toBe(true);
    await page.keyboard.type('patt');
    await options().first().click();
    await expect.poll(() => compose.recipients().then((all) => all.length)).toBe(2);
    expect(await isInField()).toBe(true);
  });

  it('is completed with those who were written to before, and whole without them', async () => {
    await page.keyboard.type('Petra Mills <petra@remote.test>,');
    await compose.field('Subject').fill('First');
    await compose.type('Hello');
    await compose.press('Send');
    await compose.window().waitFor({ state: 'detached' });
    await page.reload();
    await compose.open();
    await compose.field('To').pressSequentially('mills');
    await expect.poll(names).toEqual(['Petra Millspetra']);
    await page.keyboard.press('Escape');
    await expect.poll(() => options().count()).toBe(0);
    await compose.window().waitFor();
    await page.keyboard.type(' x');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('PETRA');
    await expect.poll(names).toEqual(['Petra Millspetra']);
    await page.keyboard.press('Enter');
    await page.keyboard.type('petra@remote.tes');
    await page.keyboard.press('Enter');
    await expect.poll(() => compose.recipients()).toEqual(['Petra Mills, petra@remote.test', 'petra@remote.tes']);
  });

  it.each([390, 1280])('is completed soundly at %i px, in light and dark', async (width) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${host.url}/dashboard/inbox`);
    // Also with the notice of an unsent message beside it
    await page.getByText(/^You have .* not sent\.$/).waitFor();
    await page.getByRole('button', { name: 'Compose Email' }).click();
    await compose.field('To').pressSequentially('pa');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      // The page follows the system's look a moment later
      await page.waitForSelector(`html[data-theme=${colorScheme}]`, { state: 'attached' });
      await options().first().waitFor();
      expect([colorScheme, ...(await layoutProblems(page)), ...(await seriousProblems(page))]).toEqual([colorScheme]);
      if (shots) await page.screenshot({ path: `${shots}/${width}-${colorScheme}.png` });
    }
    await page.emulateMedia({ colorScheme: 'light' });
  });
});
