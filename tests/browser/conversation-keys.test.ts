import { systemContext } from '@selvage/core/context/context';
import { changeStatus } from '@selvage/core/mailstore/change-status';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import type { Frame, Locator, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seriousProblems } from '../support/axe.ts';
import { openTab } from '../support/browser.ts';
import { ComposePage } from '../support/compose-page.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { printedBy } from '../support/printed-by.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';
import { write } from '../support/threads.ts';

let host: ReachableHost;
let ana: Mailbox;
let page: Page;
let ids: string[];

beforeAll(async () => {
  host = await sharedWebHost();
});

beforeEach(async () => {
  ana = await buildMailbox(host.app);
  ids = [];
  for (const number of [1, 2, 3]) {
    const from = `P${number} <p${number}@x.test>`;
    ids.push(
      await write(systemContext(host.app), ana, {
        root: 'a',
        subject: `Part ${number}`,
        from,
        body: `Words of ${number}.`,
      }),
    );
  }
  page = await openTab(host, ana);
});

const conversation = (): Locator => page.getByRole('region', { name: 'Conversation' });
const part = (number: number): Locator => conversation().getByRole('article', { name: `P${number}`, exact: true });
const text = (number: number): Locator => part(number).frameLocator('iframe').getByText(`Words of ${number}.`);
const frames = (): Promise<number> => conversation().locator('iframe').count();
const entry = (number: number) => MailboxEntry.findByPk(ids[number - 1] ?? '', { rejectOnEmpty: true });

async function openAll(address = '/dashboard/inbox'): Promise<void> {
  await page.goto(`${host.url}${address}`);
  await page.getByRole('link', { name: /Part 3/ }).click();
  for (const number of [1, 2, 3]) await text(number).waitFor();
}

const wordsOf = (frame: Frame): Promise<string> =>
  frame.evaluate<string>(`[...document.querySelectorAll('body, body *')]
    .map((one) => one.shadowRoot?.querySelector('mail-text').textContent ?? (one.matches('h1, p, body > div') ? one.textContent : ''))
    .join('|')`);

describe('keys in another message than the open one', () => {
  it.each([
    ['r', /^p1@x\.test$/],
    ['a', /^p1@x\.test$/],
  ])('answer that one by %s', async (key, recipient) => {
    const compose = new ComposePage(page);
    await openAll();
    await text(1).click();
    await page.keyboard.press(key);
    await compose.window().getByText(recipient).first().waitFor();
    await expect.poll(() => compose.window().getByText('p3@x.test').count()).toBe(0);
  });

  it('forward that one', async () => {
    await openAll();
    await text(2).click();
    await page.keyboard.press('f');
    const window = page.getByRole('dialog', { name: 'Forward Email' });
    await expect.poll(() => window.getByLabel('Subject').inputValue()).toBe('Fwd: Part 2');
  });

  it('put the star on that one, and mark unread from there on', async () => {
    await openAll();
    await text(2).click();
    await page.keyboard.press('s');
    await expect.poll(async () => (await entry(2)).starStatus).toBe(true);
    expect([(await entry(1)).starStatus, (await entry(3)).starStatus]).toEqual([false, false]);
    await expect.poll(async () => (await entry(3)).readStatus).toBe(true);
    await text(2).click();
    await page.keyboard.press('Shift+U');
    const states = async () => [(await entry(1)).readStatus, (await entry(2)).readStatus, (await entry(3)).readStatus];
    await expect.poll(states).toEqual([true, false, false]);
  });

  it('print that one, from its text as from what stands around it', async () => {
    await openAll();
    await text(1).click();
    expect(await wordsOf(await printedBy(page, () => page.keyboard.press('Control+p')))).toContain('Words of 1.');
    await part(2).getByText('p2@x.test').click();
    expect(await wordsOf(await printedBy(page, () => page.keyboard.press('Control+p')))).toContain('Words of 2.');
    await page.getByRole('heading', { level: 1, name: 'Part 3' }).focus();
    expect(await wordsOf(await printedBy(page, () => page.keyboard.press('Control+p')))).toContain('Words of 3.');
  });

  it('delete and archive all where lists show conversations, and that one where they do not', async () => {
    await changeStatus(systemContext(host.app), {
      userId: String(ana.user.id),
      entryIds: ids.slice(2),
      flags: { starStatus: true },
    });
    await openAll('/dashboard/starred');
    await text(2).click();
    await page.keyboard.press('#');
    await expect.poll(async () => (await entry(2)).folder).toBe('trash');
    await part(2).waitFor({ state: 'detached' });
    expect([(await entry(1)).folder, (await entry(3)).folder]).toEqual(['inbox', 'inbox']);
    // The next message has the focus
    await page.keyboard.press('p');
    await page.keyboard.press('e');
    await expect.poll(async () => (await entry(1)).folder).toBe('archive');
    expect((await entry(3)).folder).toBe('inbox');
  });
});

describe('keys of a conversation', () => {
  it('go from message to message, open and fold them', async () => {
    await openAll();
    const focused = () => page.evaluate<string | null>('document.activeElement.getAttribute("aria-label")');
    await page.keyboard.press('p');
    await expect.poll(focused).toBe('P2');
    await page.keyboard.press('p');
    await page.keyboard.press('p');
    await expect.poll(focused).toBe('P1');
    await page.keyboard.press('o');
    await expect.poll(frames).toBe(2);
    await expect.poll(focused).toBe('P1');
    expect(await problemsInAllLooks(page, 'conversation-keys')).toEqual({});
    await page.keyboard.press('n');
    await page.keyboard.press('Enter');
    await expect.poll(frames).toBe(1);
    await page.keyboard.press('Enter');
    await expect.poll(frames).toBe(2);
    await text(2).click();
    await page.keyboard.press(':');
    await expect.poll(frames).toBe(0);
    await expect.poll(focused).toBe('P2');
    await page.keyboard.press(';');
    await expect.poll(frames).toBe(3);
    await part(1).getByRole('button', { name: 'Collapse the message from P1' }).press('Enter');
    await expect.poll(frames).toBe(2);
    await expect.poll(focused).toBe('P1');
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await help.getByText('Next message of the conversation').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
  });
});

describe('a conversation on paper', () => {
  const printAll = async (how: string): Promise<Frame> => {
    await page.getByRole('button', { name: 'Print all' }).click();
    return await printedBy(page, () => page.getByRole('menuitem', { name: how, exact: true }).click());
  };

  it('leaves out what its messages quote, or has it as well', async () => {
    const quoted = `<p>Words of 4.</p><blockquote>${'Words that stand above. '.repeat(20)}</blockquote>`;
    await write(systemContext(host.app), ana, {
      root: 'a',
      subject: 'Part 4',
      from: 'P4 <p4@x.test>',
      body: quoted,
      isHtml: true,
    });
    await page.goto(`${host.url}/dashboard/inbox`);
    await page.getByRole('link', { name: /Part 4/ }).click();
    await part(4).frameLocator('iframe').getByText('Show quoted text').waitFor();
    expect(await problemsInAllLooks(page, 'print-all')).toEqual({});
    const short = await wordsOf(await printAll('Without quoted text'));
    expect(short).toContain('Words of 4.[Quoted text left out]');
    expect(short).not.toContain('stand above');
    const whole = await wordsOf(await printAll('With quoted text'));
    expect(whole).toContain('Words that stand above.');
    expect(whole).not.toContain('left out');
    await part(4).focus();
    const one = await printedBy(page, () => page.keyboard.press('Control+p'));
    expect(await wordsOf(one)).toContain('Words that stand above.');
  });

  it('has all messages in their order, with their people, and no style of one in another', async () => {
    const designed = '<style>p { color: rgb(1, 2, 3) } div { display: none }</style><p>Red words.</p>';
    await write(systemContext(host.app), ana, {
      root: 'a',
      subject: 'Part 4',
      from: 'P4 <p4@x.test>',
      body: designed,
      isHtml: true,
    });
    await page.goto(`${host.url}/dashboard/inbox`);
    await page.getByRole('link', { name: /Part 4/ }).click();
    await part(4).locator('iframe').waitFor();
    await page.keyboard.press(':');
    const sheet = await printAll('With quoted text');
    const words = await until('all is there', async () => {
      const all = await wordsOf(sheet);
      return all.includes('Red words.') ? all : null;
    });
    const places = ['Part 4', '4 messages', 'P1', 'Words of 1.', 'P2', 'Words of 2.', 'P3', 'Words of 3.', 'P4'];
    const found = places.map((one) => words.indexOf(one));
    expect(found).toEqual([...found].sort((one, other) => one - other));
    expect(found).not.toContain(-1);
    const colours = await sheet.evaluate<string[]>(`[...document.querySelectorAll('section')].map((section) => {
      const text = section.querySelector('div').shadowRoot.querySelector('mail-text p, mail-text div');
      return getComputedStyle(text).color + ' ' + getComputedStyle(text).display;
    })`);
    expect(colours.at(-1)).toBe('rgb(1, 2, 3) block');
    expect(new Set(colours.slice(0, 3)).size).toBe(1);
    expect(colours[0]).not.toContain('rgb(1, 2, 3)');
    expect(colours[0]).toContain('block');
  });
});
