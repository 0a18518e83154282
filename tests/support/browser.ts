import { withDeadline } from '@selvage/core/with-deadline';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { storageKeys } from '../../webmail/src/lib/storage-keys.ts';
import { ApiClient, readLetters } from './api-client.ts';
import { describeAtFailure } from './around-tests.ts';
import { findChromium, quietChromium } from './chromium.ts';
import { ofFile, ofWorker } from './end-of-file.ts';
import type { Mailbox } from './factories.ts';
import type { ReachableHost } from './test-host.ts';

/** How many characters of each page are logged. This is enough to tell what it showed. */
const SHOWN_CHARACTERS = 4_000;

/**
 * One browser process for all tests of a worker, since starting one takes longer than most tests.
 */
let program: Promise<Browser> | undefined;
/** The browser contexts that this test file has opened. */
const opened: BrowserContext[] = [];

/** A browser that takes longer for a new context, or to end, does not answer any more. */
const longestAnswerMs = 30_000;

/** The browser process, or a new one if it has crashed. */
async function startedBrowser(): Promise<Browser> {
  if (program && (await program).isConnected()) return await program;
  program = chromium.launch({ executablePath: findChromium(), args: quietChromium });
  const started = await program;
  // Playwright kills a process that does not end when this one does
  ofWorker.stopAtEnd(() => withDeadline(started.close(), longestAnswerMs).catch(() => undefined));
  return started;
}

/**
 * A new context, in a new browser process if the present one does not answer. The test that saw it
 * stop fails, and the tests after it must not.
 */
async function newContext(options: BrowserContextOptions): Promise<BrowserContext> {
  const browser = await startedBrowser();
  try {
    return await withDeadline(browser.newContext(options), longestAnswerMs);
  } catch (error) {
    console.error('the browser does not answer, so another one is started:', error);
    program = undefined;
    return await (await startedBrowser()).newContext(options);
  }
}

async function closeAll(): Promise<void> {
  await Promise.all(opened.splice(0).map((context) => withDeadline(context.close(), longestAnswerMs)));
}

// Logs what the pages showed when a test failed: a timeout alone says only what was missing
describeAtFailure(async () => {
  const pages = opened.flatMap((context) => context.pages()).filter((page) => page.url() !== 'about:blank');
  for (const page of pages) console.error(await describePage(page));
});

async function describePage(page: Page): Promise<string> {
  const shown = await page.ariaSnapshot({ timeout: 5_000 }).catch(String);
  // The navigation is long, and the same on every page
  const parts = shown.split(/\n(?=- )/).filter((part) => !part.startsWith('- navigation "Navigation"'));
  const words = parts.join('\n').slice(0, SHOWN_CHARACTERS);
  return `What ${page.url()} showed:\n${words || (await describeHidden(page))}`;
}

/** Why a page shows nothing to a screen reader: it is empty, or all of it is hidden. */
async function describeHidden(page: Page): Promise<string> {
  const parts = `[...document.body.querySelectorAll('body > *, #root > *')].map((one) => one.cloneNode().outerHTML)`;
  const found = await withDeadline(page.evaluate<string[]>(parts), 5_000).catch((error: unknown) => [String(error)]);
  return `nothing. Its outer elements:\n${found.join('\n').slice(0, SHOWN_CHARACTERS)}`;
}

/**
 * A browser context that shares nothing with others and is closed when the test file ends. With
 * `hasNoPolicy` it ignores the Content-Security-Policy. A service worker is allowed only with
 * `keepsShell`, since a test can't intercept what a service worker fetches.
 */
export async function openBrowser(
  options: { width?: number; height?: number; dark?: boolean; hasNoPolicy?: boolean; keepsShell?: boolean } = {},
): Promise<BrowserContext> {
  const context = await newContext({
    viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
    colorScheme: options.dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    bypassCSP: options.hasNoPolicy === true,
    serviceWorkers: options.keepsShell ? 'allow' : 'block',
  });
  if (opened.length === 0) ofFile.stopAtEnd(closeAll);
  opened.push(context);
  return context;
}

/**
 * Waits until all that a page shows has come: its frames have loaded, and a later request has its
 * answer. That the network is idle is no measure: it never counts as idle again when a frame, such
 * as that of a message, comes after it was idle.
 */
export async function untilLoaded(page: Page): Promise<void> {
  await Promise.all(page.frames().map((frame) => frame.waitForLoadState()));
  await page.evaluate(`fetch('/health/live').then(() => null)`);
}

type Person = Pick<Mailbox, 'user' | 'password'>;

/** A page in a new browser context, in which a person is logged in and may use the clipboard. */
export async function openTab(host: ReachableHost, person: Person): Promise<Page> {
  const context = await openBrowser();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const tab = await context.newPage();
  await signIn(tab, host, person);
  return tab;
}

/**
 * Logs in by the API, stores the tokens where the web app keeps them, and opens the inbox. The
 * tests in `sign-in.test.ts` cover the login page itself.
 */
export async function signIn(page: Page, host: ReachableHost, { user, password }: Person): Promise<void> {
  const client = new ApiClient(host);
  const { token, refreshToken, expires_in } = await client.signIn(user.email, password);
  if (!token) throw new Error(`${user.email} could not log in`);
  const stored = JSON.stringify({ token, refreshToken, expires_in, at: Date.now() });
  // Any page of the host's origin can write its storage
  await page.goto(`${host.url}/health/live`);
  const obscured = [...btoa(stored)].reverse().join('');
  await page.evaluate(`localStorage.setItem('${storageKeys.auth}', '${obscured}')`);
  await page.goto(`${host.url}/dashboard/inbox`);
}

/** Fills the login page as a person would and presses its button. Another login step may follow. */
export async function submitSignIn(page: Page, host: ReachableHost, person: Person): Promise<void> {
  const captcha = page.waitForResponse((response) => response.url().endsWith('/api/v1/captcha'));
  await page.goto(`${host.url}/auth/sign-in`);
  const { captcha_token } = (await (await captcha).json()) as { captcha_token: string };
  const answer = await readLetters(host.app, captcha_token);
  // A captcha picture that loads after the letters were typed would empty their field
  await page.getByAltText('Letters to copy into the field below').waitFor();
  await page.getByLabel('Email').fill(person.user.email);
  await page.getByLabel(/^Password/).fill(person.password);
  await page.getByLabel('Letters in the picture').fill(answer);
  await page.getByRole('button', { name: 'Log in' }).click();
}
