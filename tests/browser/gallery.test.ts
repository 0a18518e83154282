import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConsoleMessage, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { seriousProblems } from '../support/axe.ts';
import { openBrowser } from '../support/browser.ts';
import { buildGallery, type Gallery } from '../support/gallery.ts';
import { layoutProblems } from '../support/layout.ts';

/**
 * The folder for pictures of all sections, for people to look at. Without it no pictures are made.
 */
const { GALLERY_SHOTS: shots } = process.env;

interface Look {
  theme: 'light' | 'dark';
  density: 'comfortable' | 'compact';
  width: number;
}

const looks = (['light', 'dark'] as const).flatMap((theme) =>
  (['comfortable', 'compact'] as const).flatMap((density) =>
    [1280, 390].map((width): Look => ({ theme, density, width })),
  ),
);

let gallery: Gallery;
let page: Page;
/** What the page has complained of since it was looked at last. */
const complaints: string[] = [];

beforeAll(async () => {
  gallery = await buildGallery();
  const browser = await openBrowser();
  await gallery.openIn(browser);
  page = await browser.newPage();
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !isMeant(message)) complaints.push(message.text());
  });
  await page.goto(gallery.url);
  if (shots) await mkdir(shots, { recursive: true });
}, 120_000);

/** What sections show on purpose: a picture that is missing, a list whose server fails. */
function isMeant(message: ConsoleMessage): boolean {
  return /no-such-picture|\/failing/.test(message.location().url);
}

describe('the gallery of the kit', () => {
  it('is sound in every section, in light and dark, roomy and dense, wide and narrow', async () => {
    const problems: Record<string, string[]> = {};
    const sections = await namesOfSections();
    for (const section of sections) {
      await show(section);
      for (const look of looks) {
        await wear(look);
        const found = [...(await layoutProblems(page)), ...(await seriousProblems(page)), ...complaints.splice(0)];
        const name = [section, ...Object.values(look)].join('-');
        if (found.length > 0) problems[name] = found;
        if (shots) await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
      }
    }
    expect(problems).toEqual({});
    expect(sections.length).toBeGreaterThan(20);
  }, 600_000);

  it('shows no text with too little contrast to its background', async () => {
    await show('colours');
    for (const look of looks) {
      await wear(look);
      expect(await page.locator('[data-fails]').allTextContents()).toEqual([]);
    }
  });
});

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
  // a dialog that was closed a moment ago hides the page from screen readers for as long
  await page.waitForFunction(
    `document.querySelector('[role$="dialog"]') || !document.querySelector('#root[aria-hidden]')`,
  );
}

async function wear({ theme, density, width }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.setViewportSize({ width, height: width > 500 ? 800 : 844 });
  await page.evaluate(`document.documentElement.dataset.density = ${JSON.stringify(density)}`);
}
