import axe from 'axe-core';
import type { Page } from 'playwright-core';

// The avatar's initials are a picture of the name that its button is labelled with. The excluded dummies are how Fluent keeps the focus
// inside a dialog: nothing a person can reach.
const runOptions = { rules: { 'label-content-name-mismatch': { enabled: false } } };

/** What axe calls serious or critical on the page as it is. */
export async function seriousProblems(page: Page): Promise<string[]> {
  // What is still fading in has not its colours yet. A toast's time is an animation as well, of several seconds
  await page.evaluate(`Promise.allSettled(
    document.getAnimations()
      .filter(({ effect }) => effect.getComputedTiming().endTime < 2000)
      .map((animation) => animation.finished))`);
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate((options) => {
    const scope = globalThis as unknown as { axe: typeof axe };
    return scope.axe.run({ exclude: ['[data-tabster-dummy]'] }, options);
  }, runOptions);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
}
