import { Delivery } from '@selvage/core/models/delivery';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seriousProblems } from '../support/axe.ts';
import { findChromium, quietChromium } from '../support/chromium.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { plainMessage, SmtpPeer } from '../support/smtp-peer.ts';
import { startTestHost, type TestHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

const site = 'https://mail.host.test';
const from = 'ann@remote.test';
let host: TestHost;
let browser: Browser;
let ana: Mailbox;

beforeAll(async () => {
  host = await startTestHost({ SELVAGE_URL: site, PUBLIC_SITE: 'off' });
  ana = await buildMailbox(host.app);
  browser = await chromium.launch({ executablePath: findChromium(), args: quietChromium });
});
afterAll(() => browser.close());

/** Offers a message by SMTP; answers the path of the page in the reply that refuses it. */
async function refusedPath(to: string, message: string): Promise<string> {
  const peer = await SmtpPeer.open(host.ports.smtp, { helo: '<script>alert(1)</script>' });
  const reply = await peer.deliver(from, to, message);
  peer.close();
  const address = / (https:\/\/\S+)$/.exec(reply)?.[1];
  if (address === undefined) throw new Error(`no address in: ${reply}`);
  expect(new URL(address).origin).toBe(site);
  return new URL(address).pathname;
}

async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled: false, ...options });
  const page = await context.newPage();
  await page.goto(`${host.url}${path}`);
  return page;
}

describe('a sender whose mail was refused', () => {
  it('reads why at the address in the answer, without an account, JavaScript or the public site', async () => {
    const domain = ana.domain.domainName;
    const path = await refusedPath(`nobody@${domain}`, '');
    // First where it costs nothing: one network may open so many pages a minute
    const row = { recipientDomain: domain, state: 'refused' } as const;
    await until('the refusal is in the ledger', () => Delivery.findOne({ where: row }));
    const page = await until('the page has the domain', async () => {
      const opened = await open(path);
      if ((await opened.getByText(domain, { exact: true }).count()) === 1) return opened;
      await opened.context().close();
      return null;
    });
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('There is no such mailbox');
    await expect.poll(() => page.getByText('Your message was not delivered').isVisible()).toBe(true);
    expect(await page.content()).not.toMatch(/nobody@|alert\(1\)/);
    const postmaster = page.getByRole('link', { name: 'postmaster@host.test' });
    await expect.poll(() => postmaster.getAttribute('href')).toBe('mailto:postmaster@host.test');
  });

  it('reads another reason for a damaged message, and nothing for a code that was cut in two', async () => {
    const to = ana.user.email;
    const damaged = plainMessage({ from, to, subject: 'two', headers: 'From: <b@remote.test>' });
    const path = await refusedPath(to, damaged);
    const heading = async (at: string) => (await open(at)).getByRole('heading', { level: 1 }).textContent();
    expect(await heading(path)).toBe('The message breaks a rule of email');
    expect(await heading(path.slice(0, -5))).toBe('There is nothing to explain here');
  });

  it('can read it in light and dark, on a telephone and by a screen reader', async () => {
    const paths = [await refusedPath('a@elsewhere.test', ''), '/r/nothing'];
    for (const path of paths) {
      for (const colorScheme of ['light', 'dark'] as const) {
        const page = await open(path, { colorScheme, javaScriptEnabled: true });
        expect([path, colorScheme, await seriousProblems(page)]).toEqual([path, colorScheme, []]);
        await page.context().close();
      }
      for (const width of [320, 390, 1280]) {
        const page = await open(path, { viewport: { width, height: 844 }, javaScriptEnabled: true });
        const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        expect([path, width, wide]).toEqual([path, width, 0]);
        await page.context().close();
      }
    }
  });
});
