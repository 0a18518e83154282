import { chromium, type Page } from 'playwright-core';
import type { App } from '@selvage/core/context/app';
import { storageKeys } from '../../../webmail/src/lib/storage-keys.ts';
import { findChromium, quietChromium } from '../../support/chromium.ts';
import type { Mailbox } from '../../support/factories.ts';
import { until } from '../../support/until.ts';
import { median } from '../rounds.ts';
import { judge, percentile } from './judged.ts';
import { openReader } from './reader.ts';

const rounds = 20;

/**
 * Runs in the page: measures the time from a click or a key until the frame of another message has
 * loaded and two animation frames were drawn.
 */
const notePaint = `(() => {
  let pressedAt = 0;
  const note = () => { pressedAt = performance.now(); };
  addEventListener('click', note, true);
  addEventListener('keydown', note, true);
  // a frame's load reaches the document and not the window
  document.addEventListener('load', (event) => {
    if (event.target?.tagName !== 'IFRAME') return;
    requestAnimationFrame(() => requestAnimationFrame(() => { window.paintedAfter = performance.now() - pressedAt; }));
  }, true);
})()`;

/**
 * Measures the time from a click on a row until the message is painted, and from a key until the
 * next message is painted.
 */
export async function measurePaint(app: App, url: string, mailbox: Mailbox): Promise<void> {
  const { token, refreshToken } = await openReader(app, url, String(mailbox.user.id));
  const browser = await chromium.launch({ executablePath: findChromium(), args: quietChromium });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.addInitScript(notePaint);
    await page.goto(`${url}/health/live`);
    const stored = btoa(JSON.stringify({ token, refreshToken, expires_in: 900, at: Date.now() }));
    await page.evaluate(`localStorage.setItem('${storageKeys.auth}', '${[...stored].reverse().join('')}')`);
    await page.goto(`${url}/dashboard/inbox?limit=50`);
    await measure(page);
  } finally {
    await browser.close();
  }
}

async function measure(page: Page): Promise<void> {
  const rows = page.getByRole('list', { name: 'Messages' }).getByRole('listitem').getByRole('link');
  const pressed: number[] = [];
  const next: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    await rows.first().waitFor();
    // Waits for prefetches: a person looks at the list before they click, and the pointer reaches
    // the row before the click
    await page.waitForLoadState('networkidle');
    pressed.push(await painted(page, () => rows.nth(2 * round + 1).click()));
    await page.waitForLoadState('networkidle');
    next.push(await painted(page, () => page.keyboard.press('j')));
    await page.goBack();
  }
  // The first round loads the scripts, so it is not counted
  const [opened, followed] = [pressed.slice(1), next.slice(1)];
  judge(`from a press to the message (95 of 100 in ${percentile(opened, 0.95).toFixed(0)})`, median(opened), 150);
  judge(`the next message (95 of 100 in ${percentile(followed, 0.95).toFixed(0)})`, median(followed), 80);
}

async function painted(page: Page, act: () => Promise<unknown>): Promise<number> {
  await page.evaluate('window.paintedAfter = 0');
  await act();
  return await until('the message is painted', () => page.evaluate<number | null>('window.paintedAfter || null'));
}
