import axe from 'axe-core';
import type { Page } from 'playwright-core';

// The avatar's initials are a picture of the name that its button is labelled with. The excluded dummies are how Fluent keeps the focus
// inside a dialog: nothing a person can reach.
const runOptions = { rules: { 'label-content-name-mismatch': { enabled: false } } };

/** What is still fading in has not its colours yet. What lasts longer, such as the clock of a toast, is not waited for. */
const fadedIn = `Promise.allSettled(
  document.getAnimations()
    .filter((animation) => animation.effect.getComputedTiming().endTime <= 1000)
    .map((animation) => animation.finished),
)`;

/** Waits until what has just appeared stands where it will stand, in its colours. */
export async function untilStill(page: Page): Promise<void> {
  await page.evaluate(fadedIn);
}

/** What axe calls serious or critical on the page as it is. */
export async function seriousProblems(page: Page): Promise<string[]> {
  await untilStill(page);
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate((options) => {
    const scope = globalThis as unknown as { axe: typeof axe };
    return scope.axe.run({ exclude: ['[data-tabster-dummy]'] }, options);
  }, runOptions);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
}
