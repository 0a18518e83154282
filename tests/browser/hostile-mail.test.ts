import type { BrowserContext, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, signIn, untilLoaded } from '../support/browser.ts';
import { ComposePage } from '../support/compose-page.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { CANARY_HOST, hostileHtml, hostileText } from '../support/hostile-html.ts';
import { calendarOf } from '../support/invitation.ts';
import { printedBy } from '../support/printed-by.ts';
import { sharedTestHost } from '../support/shared-host.ts';
import { plainMessage, SmtpPeer } from '../support/smtp-peer.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { attribute, fileOf, propertiesOf, tnefOf } from '../support/tnef.ts';

/*
 * What strangers have sent to other mail programs, on every screen that shows some of it. The
 * browser ignores the content policy, so that what is shown here is safe without it. Nothing but
 * this host may be asked for anything, no other page may open, and the page may not be left.
 */
let host: ReachableHost;
let ana: Mailbox;
let browser: BrowserContext;
let page: Page;
let compose: ComposePage;
const elsewhere: string[] = [];

const tag = (name: string) =>
  `<img src=http://${CANARY_HOST}/${name} onerror="new Image().src='http://${CANARY_HOST}/${name}-ran'">`;
const groups = Object.keys(hostileHtml);

beforeAll(async () => {
  host = await sharedTestHost();
  ana = await buildMailbox(host.app);
  browser = await openBrowser({ hasNoPolicy: true });
  page = await browser.newPage();
  compose = new ComposePage(page);
  await signIn(page, host, ana);
  browser.on('request', (request) => {
    const isOurs = request.url().startsWith(host.url) || /^(data|blob|about):/.test(request.url());
    if (!isOurs) elsewhere.push(request.url());
  });
  browser.on('page', (opened) => elsewhere.push(`another page: ${opened.url()}`));
  page.on('dialog', (dialog) => {
    elsewhere.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
});

const base64 = (text: string) => Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\r\n');
const quoted = (text: string) => `"${text.replaceAll('"', '\\"')}"`;
/** A name of a file with any signs (RFC 2231). */
const extended = (name: string) =>
  `utf-8''${[...Buffer.from(name)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')}`;
const part = (type: string, text: string, name = '') =>
  [
    '--cut',
    `Content-Type: ${type}`,
    ...(name ? [`Content-Disposition: attachment; filename*=${extended(name)}`] : []),
    'Content-Transfer-Encoding: base64',
    '',
    base64(text),
  ].join('\r\n');

async function receiveAs(group: string, type: string, body: string, more = ''): Promise<void> {
  const headers = `${more}MIME-Version: 1.0\r\n${type}\r\nReply-To: ${quoted(tag('reply-to'))} <foreign@remote.test>`;
  const from = 'foreign@remote.test';
  const message = plainMessage({ from, to: ana.user.email, subject: subjectOf(group), body, headers });
  const peer = await SmtpPeer.open(host.ports.smtp);
  const named = message.replace('From: Foreign Sender', `From: ${quoted(tag('from'))}`);
  expect(await peer.deliver(from, ana.user.email, named)).toMatch(/^250/);
  peer.close();
}

/** In base64, so that the text may have any signs. */
const receive = (group: string) =>
  receiveAs(
    group,
    'Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64',
    base64(hostileText(group)),
  );

/** What a screen has asked for by the time that everything it shows has come. */
async function askedElsewhere(): Promise<string[]> {
  await untilLoaded(page);
  return [...elsewhere];
}

const subjectOf = (group: string) => `${group} ${tag('subject')}`;
// Rows show the beginning of a subject
const namedAfter = (group: string) => new RegExp(`^${group} <img`);

async function openMessage(group: string): Promise<void> {
  await page.goto(`${host.url}/dashboard/inbox`);
  await page.getByRole('list', { name: 'Messages' }).getByText(namedAfter(group)).first().click();
  await page.getByRole('heading', { level: 1, name: subjectOf(group), exact: true }).waitFor();
}

describe('hostile mail', { timeout: 120_000 }, () => {
  it('is announced, and listed with its first words', async () => {
    for (const group of groups) await receive(group);
    for (const group of groups) await page.getByText(namedAfter(group)).first().waitFor();
    for (const group of groups) await page.getByText(namedAfter(group)).first().hover();
    expect(await askedElsewhere()).toEqual([]);
  });

  it.each(groups)('is read, answered and kept as a draft: %s', async (group) => {
    await openMessage(group);
    await page.frameLocator('article iframe').getByText(`shown of ${group}`).first().waitFor();
    await page.getByRole('button', { name: 'Reply', exact: true }).click();
    await compose.window().getByRole('button', { name: 'Show quoted text' }).click();
    await compose.text().getByText(`shown of ${group}`).waitFor();
    await expect
      .poll(() => compose.text().locator('script, style, svg, math, iframe, form, [onerror]').count())
      .toBe(0);
    await compose.type('My answer.');
    await compose.press('Close');
    await compose.window().waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Drafts' }).click();
    await page
      .getByRole('listitem')
      .filter({ hasText: `${group} <img` })
      .getByRole('button', { name: /My answer/ })
      .click();
    await compose.text().getByText(`shown of ${group}`).waitFor();
    await compose.press('Close');
    await compose.window().waitFor({ state: 'detached' });
    expect(await askedElsewhere()).toEqual([]);
    expect(new URL(page.url()).pathname).toBe('/dashboard/draft');
  });

  it('is found, shown as source and printed', async () => {
    await page.goto(`${host.url}/dashboard/search?q=shown`);
    for (const group of groups) await page.getByText(namedAfter(group)).first().waitFor();
    await openMessage('mutation');
    await page.frameLocator('article iframe').getByText('shown of mutation').first().waitFor();
    await page.getByRole('button', { name: 'More' }).last().click();
    await page.getByRole('menuitem', { name: 'View source' }).click();
    await page
      .getByRole('dialog')
      .getByText(/^Subject: mutation <img/m)
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const attached = page.waitForEvent('frameattached');
    await page.keyboard.press('Control+p');
    await (await attached).getByText('shown of mutation').first().waitFor({ state: 'attached' });
    expect(await askedElsewhere()).toEqual([]);
  });

  it('is one conversation that is read, shown as source and printed, each alone and all as one', async () => {
    const type = 'Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64';
    const marks = `References: <all@remote.test>\r\nX-Mailer: ${tag('mailer')}\r\nList-Id: ${tag('list')}\r\n`;
    for (const group of groups) await receiveAs(group, type, base64(hostileText(group)), marks);
    const last = groups.at(-1) ?? '';
    await openMessage(last);
    await page.getByRole('button', { name: /^(Expand|Collapse) all$/ }).waitFor();
    await page.keyboard.press(';');
    const parts = page.getByRole('region', { name: 'Conversation' }).getByRole('article');
    await expect.poll(() => parts.count()).toBe(groups.length);
    for (const [index, group] of groups.entries()) {
      const one = parts.nth(index);
      await one.scrollIntoViewIfNeeded();
      await one.frameLocator('iframe').getByText(`shown of ${group}`).first().waitFor();
      await one.focus();
      const sheet = await printedBy(page, () => page.keyboard.press('Control+p'));
      await sheet.getByText(`shown of ${group}`).first().waitFor({ state: 'attached' });
      await one.getByRole('button', { name: 'More', exact: true }).click();
      await page.getByRole('menuitem', { name: 'View source' }).click();
      const source = page.getByRole('dialog', { name: 'Source of the message' });
      await source.getByText(/^X-Mailer: <img/).waitFor();
      await source.getByText('The program that the message was written with.').waitFor();
      await page.keyboard.press('Escape');
      await source.waitFor({ state: 'detached' });
    }
    await page.getByRole('button', { name: 'Print all' }).click();
    const sheet = await printedBy(page, () => page.getByRole('menuitem', { name: 'With quoted text' }).click());
    for (const group of groups) {
      await sheet.getByText(`shown of ${group}`).first().waitFor({ state: 'attached' });
    }
    const shadows = `[...document.querySelectorAll('section > div')].map(({ shadowRoot }) => shadowRoot)`;
    expect(await sheet.evaluate(`${shadows}.filter(Boolean).length`)).toBe(groups.length);
    const active = 'script, iframe, object, embed, svg, math, form, link, meta, base, template, [onerror], [onload]';
    expect(await sheet.evaluate(`${shadows}.flatMap((one) => [...one.querySelectorAll('${active}')]).length`)).toBe(0);
    // Nothing has got out of its place either: the one script is ours
    expect(await sheet.evaluate(`document.querySelectorAll('body > *:not(header, section)').length`)).toBe(1);
    expect(await sheet.evaluate(`document.scripts.length`)).toBe(1);
    expect(await askedElsewhere()).toEqual([]);
  });

  it('is as harmless in Outlook’s file, in enriched text and in a calendar', async () => {
    const binary = 0x0102;
    const text = attribute(1, 0x00069003, propertiesOf([[binary, 0x1013, Buffer.from(hostileText('handlers'))]]));
    const file = fileOf('inside.html', Buffer.from(hostileText('svg')));
    const winmail = tnefOf([text, ...file])
      .toString('base64')
      .replace(/.{76}/g, '$&\r\n');
    const packed = 'Content-Transfer-Encoding: base64';
    await receiveAs('outlook', `Content-Type: application/ms-tnef; name=winmail.dat\r\n${packed}`, winmail);
    await openMessage('outlook');
    await page.frameLocator('article iframe').getByText('shown of handlers').first().waitFor();
    await page.getByRole('button', { name: /^Download inside\.html/ }).waitFor();
    await printedBy(page, () => page.keyboard.press('Control+p'));

    await receiveAs('enriched', `Content-Type: text/enriched\r\n${packed}`, base64(hostileText('scripts')));
    await openMessage('enriched');
    await page.locator('article iframe').waitFor();
    await printedBy(page, () => page.keyboard.press('Control+p'));

    const event = ['UID:1', 'DTSTAMP:20300101T090000Z', 'DTSTART:20300102T090000Z', `SUMMARY:${tag('summary')}`];
    const words = hostileText('links').replace(/\r?\n/g, '\\n');
    const calendar = calendarOf([
      ...event,
      `LOCATION:${tag('location')}`,
      `DESCRIPTION:${words}`,
      'ORGANIZER:mailto:b@x.test',
    ]);
    await receiveAs(
      'calendar',
      `Content-Type: text/calendar; method=REQUEST; charset=utf-8\r\n${packed}`,
      base64(calendar),
    );
    await openMessage('calendar');
    await page.getByText(tag('location')).first().waitFor();
    await printedBy(page, () => page.keyboard.press('Control+p'));
    expect(await askedElsewhere()).toEqual([]);
  });

  it('has files whose names and texts are nothing but words', async () => {
    const names = [
      '../../etc/passwd',
      `${tag('file')}.html`,
      'photo\u202egnp.exe',
      'a"; x="b\r\nX-Injected: 1.txt',
      '.htaccess',
    ];
    const parts = names.map((name) => part(`text/html; name*=${extended(name)}`, hostileText('svg'), name));
    const texts = [
      'text/enriched',
      'text/calendar; method=REQUEST',
      'image/svg+xml',
      'text/xml',
      'application/xhtml+xml',
    ];
    const others = texts.map((type) => part(type, hostileText('svg')));
    const body = [part('text/plain', 'See the files.'), ...others, ...parts, '--cut--'].join('\r\n');
    await receiveAs('files', 'Content-Type: multipart/mixed; boundary=cut', body);
    await openMessage('files');
    await page.frameLocator('article iframe').getByText('See the files.').first().waitFor();
    const downloads = page.getByRole('button', { name: /^Download / });
    await downloads.first().waitFor();
    const labels = await downloads.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''));
    expect(labels.filter((label) => /\p{Cc}|\p{Cf}|\.\.\//u.test(label))).toEqual([]);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: /^Download passwd/ }).click();
    expect((await saved).suggestedFilename()).toBe('passwd');
    expect(await askedElsewhere()).toEqual([]);
  });
});
