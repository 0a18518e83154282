import type axe from 'axe-core';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** The minified build: every page that is checked has to load it. */
const source = readFileSync(join(import.meta.dirname, '../../node_modules/axe-core/axe.min.js'), 'utf8');
/** axe runs in the page alone, so for every frame it would wait half a second for an answer. */
const withoutFrames = { resultTypes: ['violations'], iframes: false } satisfies axe.RunOptions;

// An avatar's initials repeat the name of its button, so their rule is off. The excluded dummy
// elements are how Fluent keeps the focus inside a dialog. A person can't reach them.
const allRules: axe.RunOptions = {
  ...withoutFrames,
  rules: { 'label-content-name-mismatch': { enabled: false } },
};
/** The rules whose result a theme can change. */
const rulesOfColours: axe.RunOptions = { ...withoutFrames, runOnly: ['color-contrast'] };

/**
 * Waits for animations up to this length, since content that fades in does not have its final
 * colours yet. Longer animations, such as the timer of a toast, are not awaited.
 */
const fadedIn = `Promise.allSettled(
  document.getAnimations()
    .filter((animation) => animation.effect.getComputedTiming().endTime <= 1000)
    .map((animation) => animation.finished),
)`;

/**
 * Fluent hides the page behind a dialog from screen readers, and shows it again a quarter of a
 * second after the dialog has closed. After two seconds this stops waiting, so that axe reports a
 * part that stays hidden.
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

/**
 * Waits two frames: the page learns of a new size or theme in the next frame, and then draws the
 * change.
 */
const drawn = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))';

/** Waits until the page has drawn its size and theme. */
export async function untilDrawn(page: Page): Promise<void> {
  await page.evaluate(drawn);
}

/** Waits until new content has its final place and colours. */
export async function untilStill(page: Page): Promise<void> {
  await untilDrawn(page);
  await page.evaluate(fadedIn);
}

/** The serious and critical findings of axe on the page, or only those about its colours. */
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
  isMeant: (finding: Finding) => boolean,
): Promise<string[]> {
  await untilStill(page);
  await page.evaluate(shownAgain);
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(source);
  const findings = await page.evaluate(findViolations, look.coloursOnly ? rulesOfColours : allRules);
  return findings.filter(isMeant).map(({ id, what }) => `${id}: ${what}`);
}

interface Finding {
  id: string;
  impact: axe.ImpactValue | undefined;
  what: string;
}

/** The used members of the browser's globals, since the tests have no browser types. */
interface InPage {
  axe: typeof axe;
  document: { getAnimations(): { effect: { getComputedTiming(): { endTime: number } }; finish(): void }[] };
  MutationObserver: new (run: () => void) => { observe(target: unknown, what: object): void; disconnect(): void };
}

/**
 * Runs in the browser. Content that comes or changes while axe looks has its final colours at once:
 * its short animations end before axe can see them. Takes along only what is said of a violation:
 * the rest of what axe found is many times as long.
 */
async function findViolations(options: axe.RunOptions): Promise<Finding[]> {
  const scope = globalThis as unknown as InPage;
  const endFading = (): void => {
    for (const animation of scope.document.getAnimations()) {
      if (animation.effect.getComputedTiming().endTime <= 1000) animation.finish();
    }
  };
  const changes = new scope.MutationObserver(endFading);
  changes.observe(scope.document, { subtree: true, childList: true, attributes: true });
  endFading();
  const { violations } = await scope.axe.run({ exclude: ['[data-tabster-dummy]'] }, options);
  changes.disconnect();
  return violations.map(({ id, impact, nodes: [first] }) => ({
    id,
    impact,
    what: `${first?.html} ${first?.failureSummary}`,
  }));
}
