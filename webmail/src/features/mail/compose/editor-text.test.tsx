import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { PlainHandle } from '../../../components/editor/PlainEditor.tsx';
import type { EditorHandle } from '../../../components/editor/roosterjs-editor.ts';
import type { Composition } from './composition.ts';
import { EditorText } from './editor-text.ts';
import { htmlOfPlain } from './plain-text.ts';
import type { OpenMessage } from './windows.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('takes the text over from the editor while a person writes without a pause', () => {
  const written: (string | undefined)[] = [];
  const composition = { html: '', isTextChanged: false } as Composition;
  const message = {
    composition: { get: () => composition },
    write: (content: Partial<Composition>) => written.push(content.html),
  } as unknown as OpenMessage;
  let html = '';
  const text = new EditorText(message);
  text.handleReady({ html: () => html } as EditorHandle);
  for (const letter of 'A long letter') {
    html += letter;
    text.handleChange();
    vi.advanceTimersByTime(100);
  }
  expect(written.length).toBeGreaterThan(3);
});

it('goes on as plain text on a device that is too full to remember the choice', () => {
  let composition = { html: '<div>One</div>', isTextChanged: false, signature: null } as Composition;
  const message = {
    composition: { get: () => composition },
    write: (content: Partial<Composition>) => {
      composition = { ...composition, ...content };
    },
  } as unknown as OpenMessage;
  const text = new EditorText(message);
  text.handleReady({ html: () => '<div>One</div>' } as EditorHandle);
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('', 'QuotaExceededError');
  });
  text.setPlain(true);
  expect(composition.isPlain).toBe(true);
  let words = 'One';
  text.handlePlainReady({ text: () => words } as PlainHandle);
  words = 'One and two';
  text.handleChange();
  vi.advanceTimersByTime(300);
  expect(composition.html).toBe(htmlOfPlain(words));
});
