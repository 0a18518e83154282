import type { Frame, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, signIn } from '../support/browser.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { sharedTestHost } from '../support/shared-host.ts';
import { plainMessage, SmtpPeer } from '../support/smtp-peer.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: ReachableHost;
let ana: Mailbox;
let page: Page;

beforeAll(async () => {
  host = await sharedTestHost();
  ana = await buildMailbox(host.app);
  page = await (await openBrowser()).newPage();
  // A headless browser has no print dialog
  await page.addInitScript('window.print = () => { document.documentElement.dataset.printed = "yes" }');
  await signIn(page, host, ana);
});

/** Has a message arrive and opens it. */
async function open(subject: string, html: string, cc: readonly string[] = []): Promise<Frame> {
  const copies = cc.length > 0 ? `Cc: ${cc.join(',\r\n ')}\r\n` : '';
  const headers = `${copies}MIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8`;
  const peer = await SmtpPeer.open(host.ports.smtp);
  const message = plainMessage({ from: 'foreign@remote.test', to: ana.user.email, subject, body: html, headers });
  expect(await peer.deliver('foreign@remote.test', ana.user.email, message)).toMatch(/^250/);
  peer.close();
  await page.goto(`${host.url}/dashboard/inbox`);
  await page.getByRole('list', { name: 'Messages' }).getByText(subject, { exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name: subject, exact: true }).waitFor();
  return await textFrame();
}

async function textFrame(): Promise<Frame> {
  const element = await page.locator('article iframe').first().elementHandle();
  const frame = await element?.contentFrame();
  if (!frame) throw new Error('the message has no frame');
  await frame.waitForSelector('body > *', { state: 'attached' });
  return frame;
}

const frameHeight = async () => (await page.locator('article iframe').first().boundingBox())?.height ?? 0;

/** Pixels of the text that its frame does not show. */
async function hidden(): Promise<number> {
  const frame = await textFrame();
  return await frame.evaluate('document.documentElement.scrollHeight - innerHeight');
}

const lines = (count: number) => Array.from({ length: count }, (_, index) => `<p>line ${index}</p>`).join('');

describe('the text of a message', () => {
  it('is as tall as it is, so that only the page around it scrolls', async () => {
    const quote = `<blockquote>${lines(80)}</blockquote>`;
    const frame = await open('As tall as it is', `<p>answer</p>${lines(60)}${quote}`);
    await until('the frame has its height', async () => (await frameHeight()) > 1500 && (await hidden()) <= 0);
    const folded = await frameHeight();
    await frame.getByText('Show quoted text').click();
    await until('the frame grows', async () => (await frameHeight()) > folded + 1500 && (await hidden()) <= 0);
    await frame.getByText('Show quoted text').click();
    await until('the frame shrinks', async () => (await frameHeight()) === folded);
    expect(await problemsInAllLooks(page, 'reading')).toEqual({});
  });

  it('lets the page scroll by the wheel and the keys of a person who is in it', async () => {
    const frame = await open('Long to scroll', lines(120));
    await until('the frame has its height', async () => (await frameHeight()) > 3000);
    const scrolled = () => page.evaluate<number>('document.querySelector("article").scrollTop');
    await frame.getByText('line 0', { exact: true }).click();
    await page.keyboard.press('PageDown');
    await until('the page is scrolled by a key', async () => (await scrolled()) > 200);
    const before = await scrolled();
    await page.mouse.move(700, 500);
    // A hand on a wheel turns it more than once; a busy browser can miss the first turn
    await until('the page is scrolled by the wheel', async () => {
      await page.mouse.wheel(0, 300);
      return (await scrolled()) > before + 100;
    });
  });

  it('becomes taller when the window becomes narrower', async () => {
    await open('Narrow', `<p>${'many words in one line '.repeat(200)}</p>`);
    await until('the frame has its height', async () => (await hidden()) <= 0 && (await frameHeight()) > 100);
    const wide = await frameHeight();
    await page.setViewportSize({ width: 390, height: 800 });
    await until('the frame grows', async () => (await frameHeight()) > wide * 1.5 && (await hidden()) <= 0);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('obeys the keys of the page while the focus is in it', async () => {
    const frame = await open('Keys in the text', '<p>press me</p><a href="https://a.test/">link</a>');
    await frame.getByText('press me').click();
    await page.keyboard.press('r');
    await page.getByLabel('Message text').waitFor();
    await page.getByRole('button', { name: 'Close' }).first().click();
    await page.getByLabel('Message text').waitFor({ state: 'detached' });
    await frame.getByText('press me').click();
    await page.keyboard.press('u');
    await page.getByRole('list', { name: 'Messages' }).waitFor();
  });

  it('writes to the address of a mailto link, and to no hidden one', async () => {
    const link = 'mailto:bob@x.test?subject=Hello%20Bob&body=one%0D%0Atwo&bcc=spy@x.test&attach=/etc/passwd';
    const frame = await open('Write to Bob', `<a href="${link}">write</a>`);
    await frame.getByText('write').click();
    await page.getByLabel('Message text').getByText('two').waitFor();
    await page.getByText('bob@x.test').first().waitFor();
    await expect.poll(() => page.getByLabel('Subject').inputValue()).toBe('Hello Bob');
    await expect.poll(() => page.getByText('spy@x.test').count()).toBe(0);
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  });

  it('writes to the address behind a part of a picture', async () => {
    const dot = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==';
    const map = '<map name="parts"><area shape="rect" coords="0,0,80,80" href="mailto:bob@x.test" alt="Bob"></map>';
    const frame = await open('A picture', `<p><img src="${dot}" width="80" height="80" usemap="#parts"></p>${map}`);
    await frame.getByRole('img').first().click();
    await page.getByLabel('Message text').waitFor();
    await page.getByText('bob@x.test').first().waitFor();
    await page.getByRole('button', { name: 'Close' }).first().click();
    await page.getByLabel('Message text').waitFor({ state: 'detached' });
  });

  it('goes to the place in the text that a link leads to, also into a folded quote', async () => {
    const lines = (count: number) => '<p>A line of the newsletter.</p>'.repeat(count);
    const contents = '<p id="begin"><a href="#far">Far</a> <a href="#quoted">Quoted</a></p>';
    const quote = `<blockquote>${lines(60)}<h3 id="quoted">What was quoted</h3>${lines(60)}</blockquote>`;
    const back = '<p><a href="#begin">Back</a></p>';
    const text = `${contents}${lines(100)}<h2><a name="far">The far heading</a></h2>${back}${lines(40)}${quote}`;
    const frame = await open('With contents', text);
    const topOf = async (name: string) => (await frame.getByText(name, { exact: true }).boundingBox())?.y ?? -1;
    const isAtTop = async (name: string) => {
      const [top, pane] = [await topOf(name), await page.locator('main').boundingBox()];
      return top >= (pane?.y ?? 0) && top < (pane?.y ?? 0) + 200;
    };
    await frame.getByRole('link', { name: 'Far' }).press('Enter');
    await until('the far heading is at the top', () => isAtTop('The far heading'));
    await expect.poll(() => frame.evaluate('document.activeElement.dataset.place')).toBe('far');
    await frame.getByRole('link', { name: 'Back' }).click();
    await until('the contents are in view', async () => isAtTop('Far'));
    expect(await frame.getByText('What was quoted').isVisible()).toBe(false);
    await frame.getByRole('link', { name: 'Quoted' }).click();
    await until('the quoted heading is at the top', () => isAtTop('What was quoted'));
  });

  it('has the looks of its style sheet, narrow ones on a phone', async () => {
    const sheet =
      '.two { width: 50%; color: rgb(1, 2, 3) } @media (max-width: 500px) { .two { display: block; width: 100% !important } }';
    const cells = '<td class="two">left</td><td class="two" id="x">right</td>';
    const frame = await open('In columns', `<style>${sheet}</style><table width="100%"><tr>${cells}</tr></table>`);
    const styleOf = (name: string) => frame.evaluate<string>(`getComputedStyle(document.querySelector('td')).${name}`);
    expect([await styleOf('color'), await styleOf('display')]).toEqual(['rgb(1, 2, 3)', 'table-cell']);
    await page.setViewportSize({ width: 390, height: 800 });
    await until('the cells stand below each other', async () => (await styleOf('display')) === 'block');
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('names the first of many recipients, and all when they are asked for', async () => {
    await open(
      'To many',
      '<p>all</p>',
      Array.from({ length: 90 }, (_one, index) => `p${index}@remote.test`),
    );
    const names = page.locator('article bdi', { hasText: /^p\d+@remote\.test$/ });
    await expect.poll(() => names.count()).toBe(20);
    expect(await problemsInAllLooks(page, 'reading-many-recipients')).toEqual({});
    await page.getByRole('button', { name: 'and 70 more' }).click();
    await expect.poll(() => names.count()).toBe(90);
  });

  it('has the number of the other recipients in sight on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    await open(
      'To many on a phone',
      '<p>all</p>',
      Array.from({ length: 90 }, (_one, index) => `Visitor Number ${index} <visitor-number-${index}@fair.remote.test>`),
    );
    // What a box with a scroll bar hides would stand beyond the text's beginning
    await until('the number stands above the text', async () => {
      const text = await page.locator('article iframe').boundingBox();
      const others = await page.getByRole('button', { name: 'and 88 more' }).boundingBox();
      return text && others && others.y + others.height <= text.y;
    });
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('is printed whole, with its subject, by the menu and by the key of the browser', async () => {
    const frame = await open('On paper', `<p>answer</p><blockquote>${lines(40)}</blockquote>`);
    const printing = async (press: () => Promise<void>): Promise<Frame> => {
      const attached = page.waitForEvent('frameattached');
      await press();
      const sheet = await attached;
      await sheet.waitForLoadState();
      // The browser replaces `print` in such a frame late, often after the page has asked
      await page.evaluate(`document.querySelector('iframe[aria-hidden]').contentWindow.postMessage('print', '*')`);
      await until('the sheet is printed', () =>
        sheet.evaluate<boolean>('document.documentElement.dataset.printed === "yes"'),
      );
      return sheet;
    };
    const printed = await printing(async () => {
      await page.getByRole('button', { name: 'More' }).last().click();
      await page.getByRole('menuitem', { name: 'Print' }).click();
    });
    await printed.getByRole('heading', { name: 'On paper', includeHidden: true }).waitFor({ state: 'attached' });
    await expect.poll(() => printed.locator('details').count()).toBe(0);
    await frame.getByText('answer').click();
    expect(await printing(() => page.keyboard.press('Control+p'))).not.toBe(printed);
  });
});

describe('a hostile text', () => {
  it('can make neither its frame grow for ever nor the page obey it', async () => {
    const html = [
      '<p>hostile</p><div style="height: 101vh; min-height: 120vh">tall</div>',
      '<style>html, body, div { height: 101vh; min-height: 100% } div { height: 200lvh }</style>',
      '<script>parent.postMessage({ kind: "key", key: "#" }, "*")</script>',
      '<img src=x onerror=\'parent.postMessage({ kind: "key", key: "u" }, "*")\'>',
      '<a href="javascript:parent.postMessage(1)">press</a>',
    ].join('');
    const frame = await open('Forged messages', html);
    await until('the frame has its height', async () => (await hidden()) <= 0);
    const height = await frameHeight();
    expect(height).toBeLessThan(300);
    await frame.getByText('press').click();
    // Messages that no frame of a text sent are not obeyed either, whatever they say
    await page.evaluate(`for (const data of [{ kind: 'key', key: 'u' }, { kind: 'height', height: 9000 }]) {
      window.postMessage(data, '*');
      window.dispatchEvent(new MessageEvent('message', { data, origin: 'null', source: window }));
    }`);
    // As a script of the sender would, if a hole in the browser let it run
    await frame.evaluate(`for (const data of [null, 7, 'x', { kind: 'height', height: 1e308 }, { kind: 'height', height: -1 },
      { kind: 'height', height: '900' }, { kind: 'key', key: 'Escape' }, { kind: 'key', key: 'up' },
      { kind: 'mailto', href: 'javascript:alert(1)' }, { kind: 'mailto', href: 'mailto:' }]) parent.postMessage(data, '*')`);
    await frame.evaluate(`parent.postMessage({ kind: 'height', height: 777 }, '*')`);
    await until('the last message has come', async () => (await frameHeight()) === 777);
    await frame.evaluate('document.body.append(document.createElement("hr"))');
    await until('the frame is as tall as its text again', async () => (await frameHeight()) < 300);
    expect(new URL(page.url()).pathname).toMatch(/^\/dashboard\/inbox\/\d+$/);
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  it('reaches nothing of the page, and no script of this host', async () => {
    const frame = await open('Behind glass', '<p>glass</p>');
    expect(await frame.evaluate('self.origin')).toBe('null');
    const tries = `(async () => {
      const results = [];
      for (const run of [() => parent.document.cookie, () => localStorage.length]) {
        try { run(); results.push('reached'); } catch { results.push('refused'); }
      }
      const script = document.createElement('script');
      script.textContent = 'window.ran = true';
      document.body.append(script);
      const own = document.createElement('script');
      own.src = '${host.url}/assets/x.js';
      const asked = new Promise((resolve) => { own.onload = own.onerror = resolve; });
      document.body.append(own);
      await asked;
      results.push(window.ran ? 'ran' : 'refused');
      return results;
    })()`;
    expect(await frame.evaluate(tries)).toEqual(['refused', 'refused', 'refused']);
  });
});
