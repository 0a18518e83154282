import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach } from 'vitest';
import { storageKeys } from '../../webmail/src/lib/storage-keys.ts';
import { ApiClient } from './api-client.ts';
import { findChromium, quietChromium } from './chromium.ts';
import type { Mailbox } from './factories.ts';
import type { TestHost } from './test-host.ts';

/** So many characters of each page are enough to tell what it showed. */
const SHOWN_CHARACTERS = 4_000;

/** One program for all tests of a file: to start one takes longer than most of what a test does. */
let browser: Promise<Browser> | undefined;
const opened: BrowserContext[] = [];

afterAll(async () => {
  for (const context of opened.splice(0)) await context.close();
  await (await browser)?.close();
  browser = undefined;
});

// The log of a failed test says what the person saw: a time limit alone says only what was missing
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  const pages = opened.flatMap((context) => context.pages()).filter((page) => page.url() !== 'about:blank');
  for (const page of pages) console.error(await describePage(page));
});

async function describePage(page: Page): Promise<string> {
  const shown = await page.ariaSnapshot({ timeout: 5_000 }).catch(String);
  // The navigation is long, and the same on every page
  const parts = shown.split(/\n(?=- )/).filter((part) => !part.startsWith('- navigation "Navigation"'));
  return `What ${page.url()} showed:\n${parts.join('\n').slice(0, SHOWN_CHARACTERS)}`;
}

/**
 * A profile of its own, which shares nothing with others and is closed when the test file ends.
 * Without policy it ignores the Content-Security-Policy. It keeps the app for later only where a
 * test asks for it: what a service worker fetches is out of the reach of a test.
 */
export async function openBrowser(
  options: { width?: number; height?: number; dark?: boolean; hasNoPolicy?: boolean; keepsShell?: boolean } = {},
): Promise<BrowserContext> {
  browser ??= chromium.launch({ executablePath: findChromium(), args: quietChromium });
  const context = await (await browser).newContext({
    viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
    colorScheme: options.dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    bypassCSP: options.hasNoPolicy === true,
    serviceWorkers: options.keepsShell ? 'allow' : 'block',
  });
  opened.push(context);
  return context;
}

type Person = Pick<Mailbox, 'user' | 'password'>;

/** A page in a browser of its own, in which a person is logged in and may use the clipboard. */
export async function openTab(host: TestHost, person: Person): Promise<Page> {
  const context = await openBrowser();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const tab = await context.newPage();
  await signIn(tab, host, person);
  return tab;
}

/**
 * Logs in by the API, puts the tokens where the web app keeps them, and opens the inbox. What the
 * login page itself does is tested in `sign-in.test.ts`.
 */
export async function signIn(page: Page, host: TestHost, { user, password }: Person): Promise<void> {
  const client = new ApiClient(host);
  const { token, refreshToken, expires_in } = await client.signIn(user.email, password);
  if (!token) throw new Error(`${user.email} could not log in`);
  const stored = JSON.stringify({ token, refreshToken, expires_in, at: Date.now() });
  // Any document of the host's origin can write its storage
  await page.goto(`${host.url}/health/live`);
  const obscured = [...btoa(stored)].reverse().join('');
  await page.evaluate(`localStorage.setItem('${storageKeys.auth}', '${obscured}')`);
  await page.goto(`${host.url}/dashboard/inbox`);
}

/** Uses the login page as a person would, up to the button. Another step may follow. */
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
