import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach } from 'vitest';
import { findChromium, quietChromium } from './chromium.ts';
import type { Mailbox } from './factories.ts';
import type { TestHost } from './test-host.ts';

/** So many characters of each page are enough to tell what it showed. */
const SHOWN_CHARACTERS = 4_000;

const opened: { context: BrowserContext; close: () => Promise<void> }[] = [];

afterAll(async () => {
  for (const { close } of opened.splice(0)) await close();
});

// The log of a failed test says what the person saw: a time limit alone says only what was missing
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  const pages = opened.flatMap(({ context }) => context.pages()).filter((page) => page.url() !== 'about:blank');
  for (const page of pages) console.error(await describePage(page));
});

async function describePage(page: Page): Promise<string> {
  const shown = await page.ariaSnapshot({ timeout: 5_000 }).catch(String);
  // The navigation is long, and the same on every page
  const parts = shown.split(/\n(?=- )/).filter((part) => !part.startsWith('- navigation "Navigation"'));
  return `What ${page.url()} showed:\n${parts.join('\n').slice(0, SHOWN_CHARACTERS)}`;
}

/**
 * A page in a browser profile of its own, closed when the test file ends. Without policy it ignores
 * the Content-Security-Policy.
 */
export async function openBrowser(
  options: { width?: number; height?: number; dark?: boolean; hasNoPolicy?: boolean } = {},
): Promise<BrowserContext> {
  const profile = await mkdtemp(join(tmpdir(), 'selvage-browser-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: findChromium(),
    args: quietChromium,
    viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
    colorScheme: options.dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    bypassCSP: options.hasNoPolicy === true,
  });
  const close = async (): Promise<void> => {
    await context.close();
    await rm(profile, { recursive: true, force: true });
  };
  opened.push({ context, close });
  return context;
}

type Person = Pick<Mailbox, 'user' | 'password'>;

/** A page in a browser of its own, in which a person has signed in and may use the clipboard. */
export async function openTab(host: TestHost, person: Person): Promise<Page> {
  const context = await openBrowser();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const tab = await context.newPage();
  await signIn(tab, host, person);
  return tab;
}

/** Uses the login page as a person would. Only the captcha's answer comes from Redis. */
export async function signIn(page: Page, host: TestHost, person: Person): Promise<void> {
  await submitSignIn(page, host, person);
  await page.waitForURL('**/dashboard/inbox');
}

/** As `signIn`, up to the button. Another step may follow. */
export async function submitSignIn(page: Page, host: TestHost, person: Person): Promise<void> {
  const captcha = page.waitForResponse((response) => response.url().endsWith('/api/v1/captcha'));
  await page.goto(`${host.url}/auth/sign-in`);
  const { captcha_token } = (await (await captcha).json()) as { captcha_token: string };
  const answer = (await host.app.redis.get(`captcha:${captcha_token}`)) ?? '';
  await page.getByLabel('Email').fill(person.user.email);
  await page.getByLabel(/^Password/).fill(person.password);
  await page.getByLabel('Letters in the picture').fill(answer);
  await page.getByRole('button', { name: 'Log in' }).click();
}
