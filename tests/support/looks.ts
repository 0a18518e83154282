import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { seriousProblems } from './axe.ts';
import { layoutProblems } from './page-layout.ts';

/** The folder for screenshots of the tested screens. Without it, no screenshots are made. */
const { SCREEN_SHOTS: shots } = process.env;

/**
 * The theme changes only colours, and the width only the layout. So all rules are checked at each
 * width in one theme, and the colours of what only a wide page shows in the other one too. The
 * gallery is checked in all four looks.
 */
const looks = [
  { theme: 'dark', width: 1280, coloursOnly: true },
  { theme: 'dark', width: 390, coloursOnly: false },
  { theme: 'light', width: 1280, coloursOnly: false },
] as const;

/**
 * Waits for transitions: a button that was just enabled changes its colour for a tenth of a second,
 * and its contrast would be too low meanwhile. Endless animations, such as spinners, are not
 * awaited.
 */
export const endOfTransitions = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity && effect.getComputedTiming().endTime < 5000)
  .map(({ finished }) => finished))`;

/**
 * The problems of the current screen in light and dark, wide and on a phone: accessibility
 * problems, and content that is cut off or too wide. It ends in light and wide, as it began.
 */
export async function problemsInAllLooks(page: Page, name: string): Promise<Record<string, string[]>> {
  const problems: Record<string, string[]> = {};
  if (shots) await mkdir(shots, { recursive: true });
  for (const { theme, width, coloursOnly } of looks) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    // The page follows the system's theme a moment later
    await page.waitForSelector(`html[data-theme=${theme}]`, { state: 'attached' });
    await page.evaluate(endOfTransitions);
    const found = await seriousProblems(page, { coloursOnly });
    if (!coloursOnly) found.push(...(await layoutProblems(page)));
    if (found.length > 0) problems[`${name}, ${theme}, ${width} px`] = found;
    if (shots) await page.screenshot({ path: join(shots, `${name}-${theme}-${width}.png`) });
  }
  return problems;
}
