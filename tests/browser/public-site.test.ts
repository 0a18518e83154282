import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allProblems } from '../support/axe.ts';
import { openBrowser, signIn } from '../support/browser.ts';
import { findChromium, quietChromium } from '../support/chromium.ts';
import { buildMailbox } from '../support/factories.ts';
import { layoutProblems } from '../support/page-layout.ts';
import { startWebHost, type TestHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

const paths = ['/', '/product-list', '/contact-us'];
const required = ['First name', 'Last name', 'Email', 'Subject', 'Message'];

let host: TestHost;
let browser: Browser;

beforeAll(async () => {
  host = await startWebHost();
  browser = await chromium.launch({ executablePath: findChromium(), args: quietChromium });
});
afterAll(() => browser.close());

async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  await page.goto(`${host.url}${path}`);
  return page;
}

async function fill(page: Page, labels = required): Promise<void> {
  for (const label of labels)
    await page.getByLabel(label).fill(label === 'Email' ? 'asha@mill.example' : `My ${label}`);
}

/** After how many milliseconds a page first shows something, on a slow line. */
async function paintOnSlowLine(path: string): Promise<number> {
  // Nothing is kept from the page before
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 200_000,
    uploadThroughput: 90_000,
  });
  await page.goto(`${host.url}${path}`);
  const paint = await until('the page has painted', () =>
    page.evaluate<number>("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"),
  );
  await context.close();
  return paint;
}

describe('the public site', () => {
  it('is accessible in light, dark and small windows', async () => {
    for (const path of paths) {
      for (const colorScheme of ['light', 'dark'] as const) {
        const page = await open(path, { colorScheme });
        expect([path, colorScheme, await allProblems(page)]).toEqual([path, colorScheme, []]);
        await page.context().close();
      }
      for (const width of [320, 390, 768, 1920]) {
        const page = await open(path, { viewport: { width, height: 900 } });
        const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        expect([path, width, wide]).toEqual([path, width, 0]);
        await page.context().close();
      }
    }
    const page = await open('/contact-us', { viewport: { width: 390, height: 844 } });
    expect(await layoutProblems(page)).toEqual([]);
  });

  it('asks this host alone, and leads through all pages without JavaScript', async () => {
    const page = await open('/', { javaScriptEnabled: false });
    const asked = new Set<string>();
    const faults: string[] = [];
    page.on('request', (request) => asked.add(new URL(request.url()).origin));
    page.on('console', (message) => faults.push(message.text()));
    await page.reload();
    for (const claim of ['25+ years', '50K tons per year', '500+ employees', '25+ export countries']) {
      await expect.poll(() => page.getByText(claim).isVisible()).toBe(true);
    }
    await expect.poll(() => page.getByText('Established 1995').first().isVisible()).toBe(true);
    await page.getByRole('link', { name: 'Spun polyester' }).click();
    await page.waitForURL('**/product-list#spun');
    await page.getByRole('navigation', { name: 'Site' }).getByRole('link', { name: 'Contact' }).click();
    await page.getByRole('heading', { name: 'Contact us' }).waitFor();
    expect([...asked]).toEqual([host.url]);
    expect(faults).toEqual([]);
    await expect
      .poll(() => page.getByRole('link', { name: 'Client portal' }).first().getAttribute('href'))
      .toBe('/auth/sign-in');
  });

  it('paints within a second on a slow line', async () => {
    for (const path of paths) {
      // The time passes while others have the processor, too: the quickest of some visits counts
      let paint = await paintOnSlowLine(path);
      for (let visits = 1; paint >= 1000 && visits < 8; visits += 1) {
        paint = Math.min(paint, await paintOnSlowLine(path));
      }
      expect([path, paint < 1000, paint]).toEqual([path, true, paint]);
    }
  });

  it('shows tables whose first column stays while they scroll', async () => {
    const page = await open('/product-list', { viewport: { width: 390, height: 844 } });
    await expect.poll(() => page.getByRole('table').count()).toBe(10);
    const first = page.getByRole('rowheader', { name: '126 / 36' });
    const before = await first.boundingBox();
    const region = page.getByRole('region', { name: 'Polyester POY: what we keep' });
    await region.focus();
    await page.keyboard.press('ArrowRight');
    await until('the table has scrolled', () =>
      page.evaluate<boolean>("document.querySelector('.scroll').scrollLeft > 20"),
    );
    expect((await first.boundingBox())?.x).toBe(before?.x);
  });
});

describe('the contact form', () => {
  it('says what is missing, by the keyboard alone, and thanks without sending anything', async () => {
    const page = await open('/contact-us');
    await page.getByLabel('Phone').focus();
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.getByText(/ is required$/).allTextContents())
      .toEqual(required.map((name) => `${name} is required`));
    const firstName = page.getByLabel('First name');
    expect(await page.evaluate('document.activeElement.id')).toBe('first-name');
    await expect.poll(() => firstName.getAttribute('aria-describedby')).toBe('first-name-problem');
    expect(await allProblems(page)).toEqual([]);
    await fill(page);
    await expect.poll(() => page.getByText(/ is required$/).count()).toBe(0);
    await page.getByLabel('Email').fill('asha');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.getByRole('button', { name: 'Send message' }).click();
    await page.getByText('Invalid email address').waitFor();
    await page.getByLabel('Email').fill('asha@mill.example');
    await page.getByRole('button', { name: 'Send message' }).click();
    await page.getByText('Thank you for contacting us.').waitFor();
    await expect.poll(() => page.getByLabel('Message').inputValue()).toBe('');
    expect(await allProblems(page)).toEqual([]);
    await page.getByRole('link', { name: 'Close' }).click();
    await page.getByText('Thank you for contacting us.').waitFor({ state: 'hidden' });
    expect(asked).toEqual([]);
  });

  it('does the same without JavaScript, and nothing that was written leaves the browser', async () => {
    const page = await open('/contact-us', { javaScriptEnabled: false });
    await page.getByRole('button', { name: 'Send message' }).click();
    expect(page.url()).toBe(`${host.url}/contact-us`);
    await fill(page, [...required, 'Phone', 'Company']);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(`${request.url()} ${request.postData() ?? ''}`));
    await page.getByRole('button', { name: 'Send message' }).click();
    await page.getByText('Thank you for contacting us.').waitFor();
    expect(page.url()).toBe(`${host.url}/contact-us?#thank-you`);
    expect(asked.join(' ')).not.toMatch(/My|asha|mill/);
  });
});

describe('the start of the site', () => {
  it('leads people who are logged in to the app, without showing itself, and logged-out people to the login', async () => {
    const person = await buildMailbox(host.app);
    const context = await openBrowser();
    const page = await context.newPage();
    await page.goto(host.url);
    await page.getByRole('link', { name: 'Log in to the client portal' }).click();
    await page.waitForURL('**/auth/sign-in');
    await signIn(page, host, person);
    await page.addInitScript(`addEventListener('DOMContentLoaded', () => {
      const isSite = document.querySelector('.hero') && !document.documentElement.hidden;
      if (isSite) sessionStorage.setItem('seen', 'yes');
    })`);
    await page.goto(host.url);
    await page.waitForURL('**/dashboard/home');
    expect(await page.evaluate("sessionStorage.getItem('seen')")).toBeNull();
    for (const path of ['/product-list', '/contact-us']) {
      await page.goto(`${host.url}${path}`);
      expect(page.url()).toBe(`${host.url}${path}`);
    }
    // A session that has ended elsewhere leads to the login page once, and then to the site again
    await page.evaluate("localStorage.setItem('selvage.auth', 'spoilt')");
    await page.goto(host.url);
    await page.waitForURL('**/auth/sign-in');
    await page.evaluate('localStorage.clear()');
    await page.goto(host.url);
    await page.getByRole('heading', { name: 'Good cloth starts on the cone.' }).waitFor();
    await page.goto(`${host.url}/no/such/page`);
    await page.waitForURL('**/auth/sign-in');
  });

  it('is what an operator put there, or the login page where there is none', async () => {
    const own = join(host.dataDir, 'site');
    await mkdir(own);
    await writeFile(
      join(own, 'index.html'),
      '<!doctype html><title>Mill</title><h1>Our own mill</h1><script>document.title = "inline"</script>',
    );
    const page = await open('/contact-us');
    await until('the site of the operator is shown', async () => {
      await page.goto(host.url);
      return await page.getByRole('heading', { name: 'Our own mill' }).isVisible();
    });
    await expect.poll(() => page.title()).toBe('Mill');
    await page.goto(`${host.url}/contact-us`);
    await page.waitForURL('**/auth/sign-in');
    await host.end('api', 'SIGTERM');
    await host.start('api', { PUBLIC_SITE: 'off' });
    for (const path of paths) {
      await page.goto(`${host.url}${path}`);
      await page.waitForURL('**/auth/sign-in');
    }
  });
});
