import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConsoleMessage, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { seriousProblems } from '../support/axe.ts';
import { openBrowser } from '../support/browser.ts';
import { buildGallery, type Gallery } from '../support/gallery.ts';
import { layoutProblems } from '../support/page-layout.ts';

/**
 * The folder for pictures of all sections, for people to look at. Without it no pictures are made.
 */
const { GALLERY_SHOTS: shots } = process.env;

interface Look {
  theme: 'light' | 'dark';
  density: 'comfortable' | 'compact';
  width: number;
}

/** Each pair of two properties once. What goes wrong in one of three together is very rare. */
const looks: Look[] = [
  { theme: 'light', density: 'comfortable', width: 1280 },
  { theme: 'light', density: 'compact', width: 390 },
  { theme: 'dark', density: 'comfortable', width: 390 },
  { theme: 'dark', density: 'compact', width: 1280 },
];

let gallery: Gallery;
let page: Page;
/** Errors of the page since the last section was checked. */
const pageErrors: string[] = [];

beforeAll(async () => {
  gallery = await buildGallery();
  const browser = await openBrowser();
  await gallery.openIn(browser);
  page = await browser.newPage();
  page.on('pageerror', (error) => pageErrors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !isMeant(message)) pageErrors.push(message.text());
  });
  await page.goto(gallery.url);
  if (shots) await mkdir(shots, { recursive: true });
}, 120_000);

/** What sections show on purpose: a picture that is missing, a list whose server fails. */
function isMeant(message: ConsoleMessage): boolean {
  return /no-such-picture|\/failing/.test(message.location().url);
}

describe('the gallery of the kit', () => {
  it.each(looks)(
    'is sound in every section: $theme, $density, $width px',
    async (look) => {
      const problems: Record<string, string[]> = {};
      // the toasts of the look before would still be there
      await page.goto('about:blank');
      await page.goto(gallery.url);
      const sections = await namesOfSections();
      for (const section of sections) {
        await show(section);
        if (section === 'large-table') await page.getByRole('button', { name: 'Show 200 rows' }).click();
        await wear(look);
        const found = [...(await layoutProblems(page)), ...(await seriousProblems(page)), ...pageErrors.splice(0)];
        if (found.length > 0) problems[section] = found;
        const name = [section, ...Object.values(look)].join('-');
        if (shots) await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
      }
      expect(problems).toEqual({});
      expect(sections.length).toBeGreaterThan(20);
    },
    600_000,
  );

  it('has a whole screen that works: its records are added, found and deleted', async () => {
    await show('screen');
    await wear({ theme: 'light', density: 'comfortable', width: 1280 });
    await page.getByRole('button', { name: 'Add New Mill' }).click();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Mill name must be at least 2 characters long').waitFor();
    await page.getByRole('textbox', { name: 'Mill' }).fill('Zari Works');
    await page.getByRole('textbox', { name: 'Town' }).fill('Surat');
    await page.getByText('Spindles are required').waitFor();
    await page.getByRole('textbox', { name: 'Spindles' }).fill('12,400');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Mill created').first().waitFor();
    await page.getByText('1–10 of 29').waitFor();
    await page.getByRole('searchbox', { name: 'Search mills' }).fill('zari');
    await page.getByText('1–1 of 1').waitFor();
    await page.getByRole('button', { name: 'Actions for Zari Works' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByText('Zari Works and its orders will be gone.').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Mill deleted').first().waitFor();
    await page.getByText('No mills found matching your search').waitFor();
  });

  it('makes cards of the rows below 720 px, each value with its label', async () => {
    await show('tables');
    const table = page.getByRole('table').first();
    const shape = async (width: number) => {
      await page.setViewportSize({ width, height: 800 });
      const label = table.getByRole('cell').getByText('Town', { exact: true }).first();
      return { hasHead: await table.getByRole('columnheader').first().isVisible(), hasLabel: await label.isVisible() };
    };
    await expect.poll(() => shape(720)).toEqual({ hasHead: true, hasLabel: false });
    await expect.poll(() => shape(719)).toEqual({ hasHead: false, hasLabel: true });
  });

  it('shows 200 rows in less than a second of computing', async () => {
    await show('large-table');
    await wear({ theme: 'light', density: 'comfortable', width: 1280 });
    const session = await page.context().newCDPSession(page);
    // What the page itself computed: a clock would run while others have the processor
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const computed = async (): Promise<number> => {
      const { metrics } = await session.send('Performance.getMetrics');
      return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000;
    };
    const costOf = async (act: () => Promise<unknown>): Promise<number> => {
      const before = await computed();
      await act();
      return (await computed()) - before;
    };
    const references = [await costOf(drawReference), await costOf(drawReference)];
    const cost = await costOf(async () => {
      await page.getByRole('button', { name: 'Show 200 rows' }).click();
      await page.getByRole('row').nth(200).waitFor({ state: 'attached' });
    });
    references.push(await costOf(drawReference));
    await expect.poll(() => page.getByRole('row').count()).toBe(201);
    const slowness = Math.max(referenceMs, ...references) / referenceMs;
    expect(cost / slowness).toBeLessThan(1_000);
  });

  it('shows no text with too little contrast to its background', async () => {
    await show('colours');
    for (const look of looks) {
      await wear(look);
      await expect.poll(() => page.locator('[data-fails]').allTextContents()).toEqual([]);
    }
  });
});

/** What `drawReference` takes on the machine for which the limits of tests are written. */
const referenceMs = 90;

/** Draws what is no part of the product, to learn how slow the machine is just now. */
async function drawReference(): Promise<void> {
  await page.evaluate(`{
    const box = document.createElement('div');
    for (let number = 0; number < 5_000; number += 1) {
      const part = document.createElement('p');
      part.textContent = 'Row ' + number;
      box.append(part);
    }
    document.body.append(box);
    box.getBoundingClientRect();
    box.remove();
  }`);
}

function namesOfSections(): Promise<string[]> {
  const choice = page.getByRole('combobox', { name: 'Section' });
  return choice.locator('option').evaluateAll((options) => options.map((option) => option.getAttribute('value') ?? ''));
}

/** Opens a section and waits until it has loaded and nothing moves any more. */
async function show(section: string): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.evaluate(`location.hash = ${JSON.stringify(section)}`);
  await page.locator(`main[data-section="${section}"]`).waitFor({ state: 'attached' });
  await page.waitForFunction('document.documentElement.dataset.settled === "true"');
  // Fluent shows the page to screen readers again a moment after a dialog has closed
  await page.waitForFunction(
    `document.querySelector('[role$="dialog"]') || !document.querySelector('#root[aria-hidden]')`,
  );
}

async function wear({ theme, density, width }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  // The page follows the system's look a moment later
  await page.waitForSelector(`html[data-theme=${theme}]`, { state: 'attached' });
  await page.setViewportSize({ width, height: width > 500 ? 800 : 844 });
  await page.evaluate(`document.documentElement.dataset.density = ${JSON.stringify(density)}`);
}
