import { sanitizeComposedHtml, sanitizeMailHtml } from '@selvage/core/mail/sanitize-html';
import type { BrowserContext } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { CANARY_HOST, hostilePieces } from '../support/hostile-html.ts';
import { until } from '../support/until.ts';

let browser: BrowserContext;

beforeAll(async () => {
  browser = await openBrowser({ hasNoPolicy: true });
});

const pieces = hostilePieces();
const none = { inlineImages: new Map<string, string>() };

/**
 * Shows every text in a frame of its own. A reader presses and passes over whatever is there.
 * Returns what the canary is asked for; the list may still grow.
 */
async function askedBy(texts: readonly string[]): Promise<string[]> {
  const asked: string[] = [];
  const page = await browser.newPage();
  await page.route('**/*', async (route) => {
    const url = route.request().url();
    if (url.includes(CANARY_HOST)) asked.push(url);
    if (url === 'http://mail.test/') return await route.fulfill({ contentType: 'text/html', body: '<!doctype html>' });
    return await route.fulfill({ status: 404, body: '' });
  });
  await page.goto('http://mail.test/');
  await page.evaluate(`(async () => {
    const texts = ${JSON.stringify(texts).replaceAll('<', '\\u003c')};
    await Promise.all(texts.map((text) => new Promise((shown) => {
      const frame = document.createElement('iframe');
      frame.onload = () => shown();
      frame.srcdoc = '<!doctype html><meta charset=utf-8><body>' + text;
      document.body.append(frame);
    })));
    for (const frame of document.querySelectorAll('iframe')) {
      let all = [];
      try { all = [...frame.contentDocument.querySelectorAll('*')]; } catch { continue; }
      for (const one of all) {
        if (/^(https?|mailto):/.test(one.protocol ?? '')) continue;
        for (const kind of ['mouseover', 'pointerover', 'wheel']) one.dispatchEvent(new Event(kind, { bubbles: true }));
        one.focus?.();
        one.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
      }
    }
    new Image().src = 'http://${CANARY_HOST}/last';
  })()`);
  const last = await until('the last picture', () => asked.indexOf(`http://${CANARY_HOST}/last`) + 1);
  asked.splice(last - 1, 1);
  return asked;
}

describe('a browser without a content policy', () => {
  it('is attacked by the pieces when nothing cleans them', async () => {
    const asked = await askedBy(pieces.map(({ html }) => html));
    const dangerous = () => pieces.filter(({ asks }) => asked.some((url) => url.startsWith(`${asks}/`)));
    await until('most of them ask', () => dangerous().length > 90);
  });

  it('runs and loads nothing of a received text', async () => {
    const cleaned = pieces.map(({ html }) => {
      const { sheet, html: text } = sanitizeMailHtml(html, none);
      return `<style>${sheet}</style>${text}`;
    });
    expect(await askedBy(cleaned)).toEqual([]);
  });

  it('runs nothing of a text that a person has composed', async () => {
    const asked = await askedBy(pieces.map(({ html }) => sanitizeComposedHtml(html, none)));
    expect(asked.filter((url) => url.endsWith('/ran'))).toEqual([]);
  });
});
