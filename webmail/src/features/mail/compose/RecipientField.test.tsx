import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { show } from '../../../test/render.tsx';
import { RecipientField } from './RecipientField.tsx';
import { readRecipients } from './recipients.ts';
import type { FieldValue } from './use-recipient-field.ts';

/** The field as a message holds it, with a button after it. */
function Field({ start }: { start: string }) {
  const [value, setValue] = useState<FieldValue>({ recipients: readRecipients(start), text: '' });
  return (
    <>
      <RecipientField label="To" recipients={value.recipients} text={value.text} onChange={setValue} />
      <button type="button">Next</button>
    </>
  );
}

function field(start = '') {
  const { person } = show(<Field start={start} />);
  const input = screen.getByRole<HTMLInputElement>('combobox', { name: 'To' });
  return { person, input };
}

/** The recipients as a screen reader names them. */
function chips(): string[] {
  const list = screen.getByRole('list', { name: 'To: recipients' });
  const buttons = within(list).queryAllByRole('button', { name: /^(?!Remove)/ });
  return buttons.map((button) => button.getAttribute('aria-label') ?? '');
}

const chip = (name: string): HTMLElement => screen.getByRole('button', { name });

describe('typing recipients', () => {
  it('keeps the name that stands before an address, and glues nothing', async () => {
    const { person, input } = field();
    await person.type(input, 'Priya Raman priya@x.test ');
    expect(chips()).toEqual(['Priya Raman, priya@x.test']);
    expect(input.value).toBe('');
  });

  it.each([',', ';', '{Enter}', '{Tab}'])('makes a recipient of an address at %j', async (key) => {
    const { person, input } = field();
    await person.type(input, 'priya@x.test');
    await person.keyboard(key);
    expect(chips()).toEqual(['priya@x.test']);
    expect(document.activeElement === input).toBe(key !== '{Tab}');
  });

  it('makes one at a space, once the address is whole', async () => {
    const { person, input } = field();
    await person.type(input, 'priya @x');
    expect(chips()).toEqual([]);
    await person.type(input, '.test ');
    expect(chips()).toEqual(['priya@x.test']);
  });

  it('leaves the text as it is while another window has the focus', async () => {
    const { person, input } = field();
    await person.type(input, 'priya');
    fireEvent.blur(input);
    expect([input.value, chips()]).toEqual(['priya', []]);
  });

  it('lets a comma stand in a quoted name', async () => {
    const { person, input } = field();
    await person.type(input, '"Raman, Priya" <priya@x.test>,');
    expect(chips()).toEqual(['Raman, Priya, priya@x.test']);
  });

  it('says that it has more people than it takes, until some are taken out', async () => {
    const people = Array.from({ length: 101 }, (_one, index) => `p${index}@x.test`);
    const { person, input } = field(people.join(', '));
    screen.getByText('A field takes at most 100 recipients, and this one has 101. Remove some.');
    expect(input.getAttribute('data-wrong')).toBe('true');
    await person.click(screen.getByRole('button', { name: 'Remove p7@x.test' }));
    expect(screen.queryByText(/at most 100 recipients/)).toBeNull();
    expect(input.getAttribute('data-wrong')).toBeNull();
  });

  it('marks what is no address, and says why', async () => {
    const { person, input } = field();
    await person.type(input, 'bad address, priya@x.test,');
    expect(chips()).toEqual(['bad address: Email must contain a single @', 'priya@x.test']);
    expect(screen.getByRole('alert').textContent).toBe('Email must contain a single @');
    expect(input.getAttribute('aria-invalid')).toBe('true');
    await person.click(screen.getByRole('button', { name: 'Remove bad address' }));
    expect(chips()).toEqual(['priya@x.test']);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('has each address once', async () => {
    const { person, input } = field('priya@x.test');
    await person.type(input, 'Priya Raman <PRIYA@x.test>,');
    expect(chips()).toEqual(['Priya Raman, PRIYA@x.test']);
  });
});

describe('pasting recipients', () => {
  it('takes a list as mail programs and spreadsheets copy it', async () => {
    const { person, input } = field();
    await person.click(input);
    await person.paste('"Raman, Priya" <priya@x.test>, Bo <bo@x.test>;\r\nAna Li\tana@x.test\r\nnobody\r\n');
    expect(chips()).toEqual([
      'Raman, Priya, priya@x.test',
      'Bo, bo@x.test',
      'Ana Li, ana@x.test',
      'nobody: Email must contain a single @',
    ]);
  });

  it('puts a piece of an address where the cursor is', async () => {
    const { person, input } = field();
    await person.type(input, 'priya');
    await person.paste('@x');
    expect([input.value, chips()]).toEqual(['priya@x', []]);
    await person.paste('.test');
    expect([input.value, chips()]).toEqual(['', ['priya@x.test']]);
  });
});

describe('the keyboard in a list of recipients', () => {
  it('takes the last one away at the second Backspace, and tells it before', async () => {
    const { person, input } = field('ana@x.test, bo@x.test');
    await person.click(input);
    await person.keyboard('{Backspace}');
    expect(chips()).toHaveLength(2);
    expect(screen.getByRole('status').textContent).toBe('Press Backspace again to remove bo@x.test');
    await person.keyboard('{Backspace}');
    expect(chips()).toEqual(['ana@x.test']);
    await person.keyboard('{Backspace}x{Backspace}{Backspace}');
    expect(chips()).toEqual(['ana@x.test']);
  });

  it('moves between recipients and the text with the arrow keys, and removes with Delete', async () => {
    const { person, input } = field('ana@x.test, bo@x.test, cy@x.test');
    await person.click(input);
    await person.keyboard('{ArrowLeft}{ArrowLeft}');
    expect(document.activeElement).toBe(chip('bo@x.test'));
    await person.keyboard('{Home}{ArrowLeft}');
    expect(document.activeElement).toBe(chip('ana@x.test'));
    await person.keyboard('{ArrowRight}{Delete}');
    expect(chips()).toEqual(['ana@x.test', 'cy@x.test']);
    expect(document.activeElement).toBe(input);
    await person.keyboard('{ArrowLeft}{Escape}');
    expect(document.activeElement).toBe(input);
  });

  it.each(['{Enter}', '{F2}', 'double click'])('turns a recipient back into text at %s', async (how) => {
    const { person, input } = field('"Raman, Priya" <priya@x>, bo@x.test');
    const wrong = chip('"Raman, Priya" <priya@x>: Invalid email address format');
    if (how === 'double click') await person.dblClick(wrong);
    else {
      wrong.focus();
      await person.keyboard(how);
    }
    expect([input.value, chips()]).toEqual(['"Raman, Priya" <priya@x>', ['bo@x.test']]);
    await waitFor(() => expect(input.selectionEnd).toBe(input.value.length));
    await person.type(input, '{End}{ArrowLeft}.test{Enter}');
    expect(chips()).toEqual(['bo@x.test', 'Raman, Priya, priya@x.test']);
  });

  it('keeps what stands in the field when another recipient is changed', async () => {
    const { person, input } = field('bo@x.test');
    await person.type(input, 'cy@x.test');
    await person.dblClick(chip('bo@x.test'));
    expect([input.value, chips()]).toEqual(['bo@x.test', ['cy@x.test']]);
  });

  it('stops the Tab key once', async () => {
    const { input } = field('ana@x.test, bo@x.test');
    const all = screen.getByRole('list').querySelectorAll<HTMLElement>('button, input');
    expect([...all].filter(({ tabIndex }) => tabIndex >= 0)).toEqual([input]);
  });
});
