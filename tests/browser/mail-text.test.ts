import type { BrowserContext, Frame, Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, signIn } from '../support/browser.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { sharedTestHost } from '../support/shared-host.ts';
import { SmtpPeer } from '../support/smtp-peer.ts';
import type { ReachableHost } from '../support/test-host.ts';

interface Letter {
  /** The charset as a header names it. */
  charset: string;
  /**
   * Base64 of sender's name, subject and text in that charset, as other programs encode it and not
   * as the host would.
   */
  name: string;
  subject: string;
  text: string;
  seen: { name: string; subject: string; text: string };
}

const letters: Letter[] = [
  {
    charset: 'ISO-2022-JP',
    name: 'GyRCOzNFREJATzobKEI=',
    subject: 'GyRCMnE1RCROJCpDTiRpJDsbKEI=',
    text: 'GyRCTEBGfCROMnE1RCRPPT07fiQrJGkkRyQ5ISMbKEI=',
    seen: { name: '山田太郎', subject: '会議のお知らせ', text: '明日の会議は十時からです。' },
  },
  {
    charset: 'Windows-1251',
    name: 'yOLg7SDP5fLw7uI=',
    subject: '0fe48iDn4CDv8P/m8yC5IDExOTU=',
    text: 'xO7h8PvpIOTl7fwhIML78fvr4OXsIPH3uPIu',
    seen: { name: 'Иван Петров', subject: 'Счёт за пряжу № 1195', text: 'Добрый день! Высылаем счёт.' },
  },
  {
    charset: 'KOI8-R',
    name: '78zYx8E=',
    subject: '8NLBytMtzMnT1A==',
    text: '7s/X2cog0NLBytMg188g18zP1sXOycku',
    seen: { name: 'Ольга', subject: 'Прайс-лист', text: 'Новый прайс во вложении.' },
  },
  {
    charset: 'GB18030',
    name: 'wO7OsA==',
    subject: 'udjT2sm0z9+2qbWl',
    text: 'xPq6w6Ostqm1pdLRvq23orv1oaOVNLI1',
    seen: { name: '李伟', subject: '关于纱线订单', text: '您好，订单已经发货。𠮷' },
  },
  {
    charset: 'EUC-KR',
    name: 'sejDtrz2',
    subject: 'wda5riDIrsDO',
    text: 'wda5rsC7IMiuwM7H373AtM+02S4=',
    seen: { name: '김철수', subject: '주문 확인', text: '주문을 확인했습니다.' },
  },
  {
    charset: 'Shift_JIS',
    name: 'l+mW2A==',
    subject: 'jKmQz4+R',
    text: 'jKmQz4+RgvCCqJGXguiCtYLcgreBQg==',
    seen: { name: '鈴木', subject: '見積書', text: '見積書をお送りします。' },
  },
  {
    charset: 'Big5',
    name: 's6+kcKlq',
    subject: 'rXGz5g==',
    text: 'wcLBwrF6qrqtcbPmoUM=',
    seen: { name: '陳小姐', subject: '訂單', text: '謝謝您的訂單。' },
  },
  {
    charset: 'Windows-1252',
    name: 'QW5uYSBN/GxsZXI=',
    subject: 'R3L832UgYXVzIEv2bG4gliCTSmGU',
    text: 'U2No9m5lIEdy/N9lLCAyMCCAIGb8ciBUZWUu',
    seen: { name: 'Anna Müller', subject: 'Grüße aus Köln – “Ja”', text: 'Schöne Grüße, 20 € für Tee.' },
  },
  {
    charset: 'ISO-8859-2',
    name: 'o3VrYXN6',
    subject: 'UHJ66mR6YQ==',
    text: 'WmG/87PmIGfqtmyxIGphvPEu',
    seen: { name: 'Łukasz', subject: 'Przędza', text: 'Zażółć gęślą jaźń.' },
  },
  {
    charset: 'Windows-1255',
    name: '+fjkIOvk7w==',
    subject: '5Pby+iDu5+n4',
    text: '+ezl7SD44Swg7vbl+PT6IOTk9vLkLg==',
    seen: { name: 'שרה כהן', subject: 'הצעת מחיר', text: 'שלום רב, מצורפת ההצעה.' },
  },
  {
    charset: 'Windows-1256',
    name: 'w83jzw==',
    subject: '2tHWIMPT2sfR',
    text: 'x+HT4cfjINrh7d/j',
    seen: { name: 'أحمد', subject: 'عرض أسعار', text: 'السلام عليكم' },
  },
  {
    charset: 'UTF-8',
    name: 'Wm/DqyDwn6e2',
    subject: 'WWFybiDwn6e1IHJlYWR5',
    text: 'SXQgaXMgc3B1biDigJQgY29tZSBhbmQgc2VlLg==',
    seen: { name: 'Zoë 🧶', subject: 'Yarn 🧵 ready', text: 'It is spun — come and see.' },
  },
];

const people = 'שרה <1@x.test>, דוד <2@x.test>, Bo <3@x.test>';

let host: ReachableHost;
let ana: Mailbox;
let browser: BrowserContext;
let page: Page;

beforeAll(async () => {
  host = await sharedTestHost();
  ana = await buildMailbox(host.app);
  browser = await openBrowser();
  page = await browser.newPage();
  await signIn(page, host, ana);
});

async function receive(lines: string[]): Promise<void> {
  const peer = await SmtpPeer.open(host.ports.smtp);
  const reply = await peer.deliver('foreign@remote.test', ana.user.email, `${lines.join('\r\n')}\r\n`);
  peer.close();
  expect(reply).toMatch(/^250/);
}

async function openInbox(on: Page): Promise<void> {
  await on.goto(`${host.url}/dashboard/inbox?limit=50`);
  await on.getByRole('list', { name: 'Messages' }).waitFor();
}

function row(on: Page, text: string) {
  return on.getByRole('list', { name: 'Messages' }).getByRole('link').filter({ hasText: text });
}

/** Whether the boxes of these elements stand one after the other, from the left, in one line. */
async function standInOrder(elements: Locator): Promise<boolean> {
  const boxes = await elements.evaluateAll((all) => all.map((one) => one.getBoundingClientRect()));
  return boxes.every((box, index) => {
    const before = boxes[index - 1];
    return !before || (before.top < box.bottom && before.right <= box.left + 1);
  });
}

describe('mail from everywhere, as it is read in the browser', () => {
  it.each(letters)('shows sender, subject and text in $charset', async ({ charset, name, subject, text, seen }) => {
    await receive([
      `From: =?${charset}?B?${name}?= <foreign@remote.test>`,
      `To: ${ana.user.email}`,
      `Subject: =?${charset}?B?${subject}?=`,
      `Content-Type: text/plain; charset=${charset}`,
      'Content-Transfer-Encoding: base64',
      'MIME-Version: 1.0',
      '',
      text,
    ]);
    await openInbox(page);
    const link = row(page, seen.subject);
    await link.getByText(seen.name).waitFor();
    await link.click();
    await page.getByRole('heading', { level: 1, name: seen.subject, exact: true }).waitFor();
    await page.getByRole('article').getByText(seen.name, { exact: true }).waitFor();
    await page.frameLocator('iframe').getByText(seen.text).waitFor();
    // Until the message counts as read, the title says that one is unread
    await expect.poll(() => page.title()).toBe(`${seen.subject} · Selvage`);
  });

  it('keeps people in their order, whichever way their names run', async () => {
    const references = ['Subject: רשימה', 'References: <names@remote.test>', `To: ${people}`];
    for (const [name, id] of [
      ['שרה', 'one'],
      ['دعاء', 'two'],
    ]) {
      await receive([
        `From: ${name} <${id}@remote.test>`,
        `Message-ID: <${id}@remote.test>`,
        ...references,
        '',
        'טקסט',
      ]);
    }
    await openInbox(page);
    const link = row(page, 'רשימה');
    const writers = link.locator('bdi');
    await expect.poll(() => writers.allTextContents()).toEqual(['שרה', 'دعاء']);
    expect(await standInOrder(writers)).toBe(true);
    await link.click();
    const recipients = page.getByRole('article').last().getByText('To: ').locator('bdi');
    await expect
      .poll(() => recipients.allTextContents())
      .toEqual(['שרה <1@x.test>', 'דוד <2@x.test>', 'Bo <3@x.test>']);
    expect(await standInOrder(recipients)).toBe(true);
  });

  it('shows a message without subject and text as such, and files under their own names', async () => {
    const name = "filename*0*=UTF-8''%D0%9F%D1%80%D0%B0%D0%B9; filename*1*=%D1%81%202026.pdf";
    await receive([
      'From: files@remote.test',
      `To: ${ana.user.email}`,
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=cut',
      '',
      '--cut',
      'Content-Type: application/pdf',
      `Content-Disposition: attachment; ${name}`,
      '',
      '%PDF-1.4',
      '--cut--',
    ]);
    await openInbox(page);
    await row(page, '(no subject)').click();
    await page.getByRole('heading', { level: 1, name: '(no subject)' }).waitFor();
    await page.getByRole('button', { name: /^Download Прайс 2026\.pdf, / }).waitFor();
  });

  it.each([390, 360])('fits a screen of %i pixels, whatever it contains', async (width) => {
    const subject = `A subject for ${width} that goes on ${'and on '.repeat(60)}`;
    const html = `<table width="2400"><tr><td>wide ${width}</td></tr></table><pre>${'x'.repeat(600)}</pre>`;
    await receive([
      `From: "${'A very long name '.repeat(8)}" <${'x'.repeat(60)}@${'long-label-'.repeat(4)}a.test>`,
      `To: ${ana.user.email}`,
      `Subject: ${subject}`,
      'MIME-Version: 1.0',
      'Content-Type: text/html; charset=utf-8',
      '',
      html,
    ]);
    const phone = await (await openBrowser({ width, height: 780 })).newPage();
    const overflow = () => phone.evaluate('document.documentElement.scrollWidth - innerWidth');
    await signIn(phone, host, ana);
    await openInbox(phone);
    await row(phone, `A subject for ${width}`).waitFor();
    const compose = phone.getByRole('button', { name: 'Compose Email' });
    const box = await compose.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? width)).toBeLessThanOrEqual(width);
    await expect.poll(() => overflow()).toBe(0);
    await row(phone, `A subject for ${width}`).click();
    await phone.frameLocator('iframe').getByText(`wide ${width}`).waitFor();
    await expect.poll(() => overflow()).toBe(0);
    await phone.getByRole('button', { name: 'Reply', exact: true }).click();
    await phone.getByLabel('Message text').waitFor();
    await expect.poll(() => overflow()).toBe(0);
  });
});

/** Has a message of plain text, or of HTML, arrive and opens it; answers its frame. */
async function open(subject: string, text: string, type = 'text/plain'): Promise<Frame> {
  const head = ['From: Bea <bea@remote.test>', `To: ${ana.user.email}`, `Subject: ${subject}`, 'MIME-Version: 1.0'];
  await receive([...head, `Content-Type: ${type}; charset=utf-8`, 'Content-Transfer-Encoding: 8bit', '', text]);
  await openInbox(page);
  await row(page, subject).click();
  await page.getByRole('heading', { level: 1, name: subject, exact: true }).waitFor();
  const frame = await (await page.locator('article iframe').elementHandle())?.contentFrame();
  if (!frame) throw new Error('the message has no frame');
  await frame.waitForSelector('body > *');
  return frame;
}

/** Whether the colour of an element is nearer to white than to black. */
const isBright = (frame: Frame, selector: string): Promise<boolean> =>
  frame.evaluate(`(() => {
    const [r, g, b] = getComputedStyle(document.querySelector('${selector}')).color.match(/\\d+/g).map(Number);
    return r + g + b > 380;
  })()`);

/** Where each sign of the text of an element stands: its line, and its left and right ends. */
const placesOf = (
  frame: Frame,
  selector: string,
): Promise<{ sign: string; top: number; left: number; right: number }[]> =>
  frame.evaluate(`(() => {
    const element = document.querySelector('${selector}');
    const { left, right } = element.getBoundingClientRect();
    const [text] = element.childNodes;
    return [...text.data].map((sign, at) => {
      const range = document.createRange();
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      const box = range.getBoundingClientRect();
      return { sign, top: Math.round(box.top), left: box.left - left, right: right - box.right };
    }).filter(({ sign }) => sign >= ' ');
  })()`);

const sentences = 'The quick brown fox jumps over the lazy dog, and the sheep looks on from its hill. ';

describe('the paper of a text', () => {
  it('is at most 80 characters wide for plain text', async () => {
    const frame = await open('A long letter', sentences.repeat(12));
    const lines = Map.groupBy(await placesOf(frame, 'body > div'), ({ top }) => top);
    const longest = Math.max(...[...lines.values()].map(({ length }) => length));
    expect(longest).toBeLessThanOrEqual(80);
    expect(longest).toBeGreaterThan(60);
  });

  it('leaves lines as their sender has broken them', async () => {
    const line = 'a'.repeat(78);
    const frame = await open('Broken into lines', `${line}\r\n${line}`);
    const lines = Map.groupBy(await placesOf(frame, 'body > div'), ({ top }) => top);
    expect([...lines.values()].filter((signs) => signs.length > 1).map(({ length }) => length)).toEqual([78, 78]);
  });

  it('lets each line of a plain text begin where its letters do', async () => {
    const frame = await open('Both ways', 'שלום רב\r\nHello there\r\nالسلام عليكم');
    const places = await placesOf(frame, 'body > div');
    const sides = ['ש', 'H', 'ا'].map((sign) => {
      const place = places.find((one) => one.sign === sign);
      return place && (place.left < 2 ? 'left' : place.right < 2 ? 'right' : 'between');
    });
    expect(sides).toEqual(['right', 'left', 'right']);
    expect(await problemsInAllLooks(page, 'letters-both-ways')).toEqual({});
  });

  it.each([
    ['plain text', 'text/plain', 'Hello Ana\r\n> earlier words', true],
    ['a simple letter', 'text/html', '<p style="color: #000">Hello <a href="https://a.test/">Ana</a></p>', true],
    [
      'a letter with a style sheet',
      'text/html',
      '<style>body { color: #333; background: #fff }</style><p>Hello <a href="https://a.test/">Ana</a></p>',
      true,
    ],
    ['a newsletter', 'text/html', '<p style="background: #fff3c4; color: #222">Hello Ana</p>', false],
  ])('is as dark as the page for %s: %s', async (what, type, text, isDark) => {
    const frame = await open(`Paper of ${what}`, text, type);
    expect(await isBright(frame, 'body')).toBe(false);
    expect(await problemsInAllLooks(page, `paper-${what.replaceAll(' ', '-')}`)).toEqual({});
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.waitForSelector('html[data-theme=dark]', { state: 'attached' });
    const now = async () => await (await page.locator('article iframe').elementHandle())?.contentFrame();
    await expect
      .poll(async () => {
        const shown = await now();
        return shown && (await isBright(shown, 'body > *').catch(() => null));
      })
      .toBe(isDark);
    // What is printed stands on white
    await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
    const printed = await now();
    expect(printed && (await isBright(printed, 'body'))).toBe(false);
    await page.emulateMedia({ colorScheme: 'light', media: 'screen' });
  });

  it('shows a message without its markup, and as it was sent again', async () => {
    await open('Markup', '<table><tr><td style="color: red">Hello <b>Ana</b></td></tr></table>', 'text/html');
    const text = page.frameLocator('article iframe');
    await text.getByRole('table').waitFor();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Show as plain text' }).click();
    await text.locator('html.plain').getByText('Hello Ana').waitFor();
    expect(await text.getByRole('table').count()).toBe(0);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Show as it was sent' }).click();
    await text.getByRole('table').waitFor();
  });
});
