import axe from 'axe-core';
import type { Page } from 'playwright-core';

// The avatar's initials repeat the name of its button. The excluded dummies are how Fluent keeps
// the focus inside a dialog, and a person cannot reach them.
const allRules: axe.RunOptions = {
  resultTypes: ['violations'],
  rules: { 'label-content-name-mismatch': { enabled: false } },
};
/** What a theme can change. */
const rulesOfColours: axe.RunOptions = { resultTypes: ['violations'], runOnly: ['color-contrast'] };

/**
 * Animations up to this long are waited for, since fading content does not have its colours yet.
 * Longer ones, such as the clock of a toast, are not.
 */
const fadedIn = `Promise.allSettled(
  document.getAnimations()
    .filter((animation) => animation.effect.getComputedTiming().endTime <= 1000)
    .map((animation) => animation.finished),
)`;

/**
 * Fluent hides the page behind a dialog from screen readers, and shows it again a quarter of a
 * second after the dialog has gone. A part that stays hidden longer is left to axe to find.
 */
const shownAgain = `new Promise((resolve) => {
  const end = performance.now() + 2000;
  const hidden = ':is(#root, [data-portal-node])[aria-hidden="true"]';
  const look = () => {
    const isDone = document.querySelector('[aria-modal="true"]') || !document.querySelector(hidden);
    if (isDone || performance.now() > end) resolve();
    else setTimeout(look, 20);
  };
  look();
})`;

/** The page hears of a new size or theme with its next frame, and draws the change then. */
const drawn = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))';

/** Waits until the page has drawn its size and theme. */
export async function untilDrawn(page: Page): Promise<void> {
  await page.evaluate(drawn);
}

/** Waits until what has just appeared has its place and colours. */
export async function untilStill(page: Page): Promise<void> {
  await untilDrawn(page);
  await page.evaluate(fadedIn);
}

/** The serious and critical findings of axe on the page, or those of its colours alone. */
export async function seriousProblems(page: Page, look: { coloursOnly?: boolean } = {}): Promise<string[]> {
  return await findingsOf(page, look, ({ impact }) => impact === 'serious' || impact === 'critical');
}

/** All findings of axe on the page, however small. */
export async function allProblems(page: Page): Promise<string[]> {
  return await findingsOf(page, {}, () => true);
}

async function findingsOf(
  page: Page,
  look: { coloursOnly?: boolean },
  isMeant: (finding: axe.Result) => boolean,
): Promise<string[]> {
  await untilStill(page);
  await page.evaluate(shownAgain);
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate(
    (options) => {
      const scope = globalThis as unknown as { axe: typeof axe };
      return scope.axe.run({ exclude: ['[data-tabster-dummy]'] }, options);
    },
    look.coloursOnly ? rulesOfColours : allRules,
  );
  return violations.filter(isMeant).map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
}
