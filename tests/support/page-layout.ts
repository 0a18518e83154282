import type { Page } from 'playwright-core';
import { untilDrawn, untilStill } from './axe.ts';

/** The used members of DOM elements, since the tests have no browser types. */
interface Part {
  tagName: string;
  textContent: string | null;
  ariaBusy: string | null;
  /** Only for a field. */
  value?: string;
  scrollWidth: number;
  scrollHeight: number;
  clientWidth: number;
  clientHeight: number;
  getAttribute(name: string): string | null;
  matches(selector: string): boolean;
  closest(selector: string): Part | null;
  parentElement: Part | null;
  getBoundingClientRect(): { left: number; right: number; width: number; height: number };
}
interface InPage {
  document: { documentElement: Part; querySelectorAll(selector: string): Iterable<Part> };
  getComputedStyle(part: Part): Record<string, string>;
}

/**
 * How many frames a layout problem must last to be reported: an open menu moves to its new place
 * some frames after the window has changed its size.
 */
const framesToPlaceAll = 60;

/**
 * Finds content that does not fit on the page: content that is wider than the window, that a
 * container cuts off, or that scrolls sideways. Text with an ellipsis and text only for screen
 * readers may be cut off, and a row of tabs may scroll.
 */
export async function layoutProblems(page: Page): Promise<string[]> {
  await untilStill(page);
  let problems = await page.evaluate(findProblems);
  for (let frame = 0; problems.length > 0 && frame < framesToPlaceAll; frame++) {
    await untilDrawn(page);
    problems = await page.evaluate(findProblems);
  }
  return problems;
}

/** Runs in the browser. */
function findProblems(): string[] {
  const { document, getComputedStyle } = globalThis as unknown as InPage;
  const problems: string[] = [];
  const width = document.documentElement.clientWidth;
  const isHidden = (part: Part): boolean => {
    const { clip, clipPath, visibility, opacity } = getComputedStyle(part);
    const box = part.getBoundingClientRect();
    // Text for screen readers is clipped: the web app's by `clip-path`, and Fluent's announcements
    // by `clip`
    return (
      clip !== 'auto' ||
      clipPath !== 'none' ||
      visibility === 'hidden' ||
      opacity === '0' ||
      box.width * box.height === 0
    );
  };
  const say = (part: Part, what: string): void => {
    const text = (part.getAttribute('aria-label') ?? part.textContent ?? '').replace(/\s+/g, ' ').trim();
    problems.push(`<${part.tagName.toLowerCase()} ${part.getAttribute('role') ?? ''}> "${text.slice(0, 60)}" ${what}`);
  };
  /** Whether a part belongs to a line of text that may end with an ellipsis. */
  const isInCutLine = (part: Part): boolean => {
    const { display, textOverflow } = getComputedStyle(part);
    if (display !== 'inline') return textOverflow === 'ellipsis';
    return part.parentElement !== null && isInCutLine(part.parentElement);
  };
  const judge = (part: Part): void => {
    const style = getComputedStyle(part);
    const isInline = style['display'] === 'inline';
    const overX = isInline ? 0 : part.scrollWidth - part.clientWidth;
    const overY = isInline ? 0 : part.scrollHeight - part.clientHeight;
    const isMeantToBeCut = style['textOverflow'] === 'ellipsis' || part.ariaBusy === 'true';
    const isField = part.matches('input, textarea, select');
    // Typed text may be longer than its field, and scrolls with the cursor
    const isTyped = isField && Boolean(part.value);
    if (overX > 1 && /hidden|clip/.test(style['overflowX'] ?? '') && !isMeantToBeCut && !isTyped)
      say(part, `cuts off ${overX} px at its side`);
    if (overY > 1 && /hidden|clip/.test(style['overflowY'] ?? '') && !isMeantToBeCut)
      say(part, `cuts off ${overY} px below`);
    if (overX > 1 && /auto|scroll/.test(style['overflowX'] ?? '') && !isField && !part.matches('[role="tablist"]')) {
      say(part, `scrolls sideways by ${overX} px`);
    }
    if (overX > 1 && style['overflowX'] === 'visible' && part.matches('button, a, label, th, td, h1, h2, h3')) {
      say(part, `is ${overX} px too narrow for what it says`);
    }
    const { left, right } = part.getBoundingClientRect();
    if ((right > width + 1 || left < -1) && !part.closest('[role="tablist"]') && !(isInline && isInCutLine(part)))
      say(part, 'stands outside of the window');
  };
  if (document.documentElement.scrollWidth > width) {
    problems.push(`the page is ${document.documentElement.scrollWidth} px wide in a window of ${width} px`);
  }
  for (const part of document.querySelectorAll('body *:not(svg *)')) {
    if (!isHidden(part) && !part.closest('[aria-hidden="true"], [data-tabster-dummy]')) judge(part);
  }
  return [...new Set(problems)];
}
