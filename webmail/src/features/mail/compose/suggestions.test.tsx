import type { RecipientDto } from '@selvage/core/contracts/recipients';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { storeTokens } from '../../../lib/session.ts';
import { show } from '../../../test/render.tsx';
import { RecipientField } from './RecipientField.tsx';
import { readRecipients } from './recipients.ts';
import type { FieldValue } from './use-recipient-field.ts';

const people: RecipientDto[] = [
  { name: 'Priya Raman', address: 'priya@wool.example', kind: 'written' },
  { name: 'Mill Group', address: 'mills@x.test', kind: 'group' },
  { name: 'Prisca da Costa', address: 'pc@x.test', kind: 'colleague' },
  { name: '', address: 'priv@y.test', kind: 'written' },
];
let forgotten: string[] = [];
/** What the server was asked for. */
let asked: string[] = [];
let mayWrite = true;
/** The answer to what is typed comes with it, and has the last of the people first. */
let late: Promise<void> | null;
/** The answer for the empty text is late as well. */
let allAreLate: boolean;

beforeEach(() => {
  late = null;
  allAreLate = false;
  asked = [];
  forgotten = [];
  mayWrite = true;
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
    const { pathname, searchParams } = new URL(url, window.location.href);
    if (pathname.endsWith('/mail/recipients/forget')) {
      forgotten.push((JSON.parse(String(init?.body)) as { address: string }).address);
      return Promise.resolve(Response.json({ success: true, message: '' }));
    }
    if (!pathname.endsWith('/mail/recipients')) {
      const permissions = [{ model: 'sent', view: true, create: mayWrite, edit: true, delete: true }];
      return Promise.resolve(Response.json({ success: true, message: '', data: { _id: '7', permissions } }));
    }
    const q = searchParams.get('q') ?? '';
    asked.push(q);
    // Only the server knows the last one
    const left = people.filter(({ address }) => !forgotten.includes(address));
    const known = q === '' ? left.slice(0, 3) : left;
    if ((q === '' && !allAreLate) || !late)
      return Promise.resolve(Response.json({ success: true, message: '', data: known }));
    const data = [...known.slice(-1), ...known.slice(0, -1)];
    return late.then(() => Response.json({ success: true, message: '', data }));
  });
});

function Field({ start, onClosed }: { start: string; onClosed: () => void }) {
  const [value, setValue] = useState<FieldValue>({ recipients: readRecipients(start), text: '' });
  return (
    <div role="dialog" aria-label="New message" onKeyDown={({ key }) => key === 'Escape' && onClosed()}>
      <RecipientField label="To" recipients={value.recipients} text={value.text} onChange={setValue} />
      <button type="button">Next</button>
    </div>
  );
}

function field(start = '') {
  const onClosed = vi.fn();
  const { person } = show(<Field start={start} onClosed={onClosed} />);
  const input = screen.getByRole<HTMLInputElement>('combobox', { name: 'To' });
  return { person, input, onClosed };
}

/** A field with a text whose suggestions are asked for, and come only when `answer` is called. */
async function lateField(text: string) {
  const { promise, resolve: answer } = Promise.withResolvers<void>();
  late = promise;
  allAreLate = true;
  const shown = field();
  shown.input.focus();
  fireEvent.change(shown.input, { target: { value: text } });
  await waitFor(() => expect(asked).toContain(''));
  return { ...shown, answer };
}

const offered = (): string[] =>
  screen.queryAllByRole('option').map((option) => option.textContent?.replace(/\s+/g, ' ') ?? '');
const offers = (...names: string[]) =>
  waitFor(() => expect(offered().map((text) => names.find((name) => text.includes(name)))).toEqual(names));
const active = (): string => screen.queryByRole('option', { selected: true })?.textContent ?? '';

function chips(): string[] {
  const list = screen.getByRole('list', { name: 'To: recipients' });
  const buttons = within(list).queryAllByRole('button', { name: /^(?!Remove)/ });
  return buttons.map((button) => button.getAttribute('aria-label') ?? '');
}

describe('the people that a field of recipients offers', () => {
  it.each(['{Enter}', '{Tab}'])('are taken by %s, the first unless another is chosen', async (key) => {
    const { person, input } = field();
    await person.type(input, 'pri');
    await offers('Priya', 'Prisca', 'priv@');
    expect(active()).toContain('Priya');
    await person.keyboard(key);
    expect([chips(), input.value, offered()]).toEqual([['Priya Raman, priya@wool.example'], '', []]);
    await person.type(input, 'pri');
    // One who is a recipient already is not offered again
    await offers('Prisca', 'priv@');
    await person.keyboard(`{ArrowDown}${key}`);
    expect(chips()).toEqual(['Priya Raman, priya@wool.example', 'priv@y.test']);
  });

  it('stay chosen when a late answer puts others before them', async () => {
    let answer = (): void => undefined;
    late = new Promise((resolve) => {
      answer = resolve;
    });
    const { person, input } = field();
    await person.type(input, 'pri');
    await offers('Priya', 'Prisca');
    await person.keyboard('{ArrowDown}');
    expect(active()).toContain('Prisca');
    answer();
    await offers('priv@', 'Priya', 'Prisca');
    expect(active()).toContain('Prisca');
    await person.keyboard('{Enter}');
    expect(chips()).toEqual(['Prisca da Costa, pc@x.test']);
  });

  it('are taken by a press, and say that they are groups', async () => {
    const { person, input } = field();
    await person.type(input, 'mil');
    await offers('Group Mill Group');
    await person.click(screen.getByRole('option'));
    expect([chips(), document.activeElement === input]).toEqual([['Mill Group, mills@x.test'], true]);
  });

  it('are told to a screen reader', async () => {
    const { person, input } = field();
    expect(input.getAttribute('aria-expanded')).toBe('false');
    await person.type(input, 'da cos');
    await offers('Prisca');
    const list = screen.getByRole('listbox', { name: 'Suggestions' });
    expect(input.getAttribute('aria-expanded')).toBe('true');
    expect(input.getAttribute('aria-controls')).toBe(list.id);
    expect(input.getAttribute('aria-activedescendant')).toBe(screen.getByRole('option').id);
    expect(screen.getByRole('status').textContent).toBe('1 suggestion');
  });

  it('leave a whole address alone, and text that fits no person', async () => {
    const { person, input } = field();
    await person.type(input, 'priya@wool.example');
    await offers('Priya');
    expect(active()).toBe('');
    await person.keyboard('{Enter}');
    await person.type(input, 'priya@wool.exam{Enter}');
    expect(chips()).toEqual(['priya@wool.example', 'priya@wool.exam']);
    await person.type(input, 'zed{Enter}');
    await waitFor(() => expect(chips().at(-1)).toBe('zed: Email must contain a single @'));
  });

  it('go at Escape, which closes nothing else, and at Tab out of the field', async () => {
    const { person, input, onClosed } = field();
    await person.type(input, 'pri');
    await offers('Priya', 'Prisca', 'priv@');
    await person.keyboard('{Escape}');
    expect([offered(), onClosed.mock.calls, input.value]).toEqual([[], [], 'pri']);
    await person.keyboard('{Escape}');
    expect(onClosed).toHaveBeenCalledTimes(1);
    await person.keyboard('{ArrowDown}');
    await offers('Priya', 'Prisca', 'priv@');
    await person.keyboard('{Shift>}{Tab}{/Shift}');
    await waitFor(() => expect(offered()).toEqual([]));
  });

  it('are the first ones of all at an arrow in the empty field', async () => {
    const { person, input } = field();
    await person.click(input);
    await person.keyboard('{ArrowDown}');
    await offers('Priya', 'Mill', 'Prisca');
    expect(active()).toBe('');
    await person.keyboard('{ArrowUp}{Enter}');
    expect(chips()).toEqual(['Prisca da Costa, pc@x.test']);
  });

  it('have what was typed marked in their names and addresses', async () => {
    const { person, input } = field();
    await person.type(input, 'pri wool');
    await offers('Priya');
    const marked = [...screen.getByRole('option').querySelectorAll('mark')].map(({ textContent }) => textContent);
    expect(marked).toEqual(['Pri', 'pri', 'wool']);
  });

  it('go from the list for good, by Shift+Delete and by a press, unless they are of the company', async () => {
    const { person, input } = field();
    await person.type(input, 'pri');
    await offers('Priya', 'Prisca', 'priv@');
    await person.keyboard('{Shift>}{Delete}{/Shift}');
    await offers('Prisca', 'priv@');
    await person.keyboard('{Shift>}{Delete}{/Shift}');
    await person.click(screen.getByTitle(/^Remove from suggestions/));
    await offers('Prisca');
    expect([forgotten, chips(), input.value]).toEqual([['priya@wool.example', 'priv@y.test'], [], 'pri']);
    await person.type(input, 's');
    await offers('Prisca');
  });

  it('are asked for once for letters that come quickly', async () => {
    const { input } = field();
    input.focus();
    // At one moment: a slow machine would make a pause of each letter that is pressed
    for (const value of ['p', 'pr', 'pri', 'priy', 'priya']) fireEvent.change(input, { target: { value } });
    await offers('Priya');
    await waitFor(() => expect(asked).toContain('priya'));
    expect(asked.filter((text) => text !== '')).toEqual(['priya']);
  });

  it('are empty for a person who may not write', async () => {
    mayWrite = false;
    const { person, input } = field();
    await person.type(input, 'priya');
    await person.keyboard('{Enter}');
    expect([asked, offered(), chips()]).toEqual([[], [], ['priya: Email must contain a single @']]);
  });
});

describe('Enter or Tab before the suggestions are there', () => {
  it('takes the first of them once they are there', async () => {
    const { answer, input, person } = await lateField('priv');
    await person.keyboard('{Enter}');
    expect([chips(), input.value, document.activeElement === input]).toEqual([[], 'priv', true]);
    answer();
    await waitFor(() => expect(chips()).toEqual(['priv@y.test']));
    expect(input.value).toBe('');
  });

  it.each([
    ['takes the first of them', 'priv', 'priv@y.test'],
    ['makes a recipient of the text that fits none', 'zed', 'zed: Email must contain a single @'],
  ])('%s once they are there when Tab leads to the next field', async (_what, text, chip) => {
    const { answer, input, person } = await lateField(text);
    await person.keyboard('{Tab}');
    const next = screen.getByRole('button', { name: 'Next' });
    expect([chips(), input.value, document.activeElement === next]).toEqual([[], text, true]);
    answer();
    await waitFor(() => expect(chips()).toEqual([chip]));
    expect([offered(), input.value, document.activeElement === next]).toEqual([[], '', true]);
  });

  it('leaves the text before it to itself when the person types on', async () => {
    const { answer, input, person } = await lateField('pris');
    await person.keyboard('{Enter}');
    fireEvent.change(input, { target: { value: 'prisp' } });
    answer();
    await offers('priv@', 'Priya', 'Prisca');
    expect([chips(), input.value]).toEqual([['pris: Email must contain a single @'], 'p']);
  });
});
