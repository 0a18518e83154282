import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { EditorHandle } from '../../../components/editor/roosterjs-editor.ts';
import type { Composition } from './composition.ts';
import { EditorText } from './editor-text.ts';
import type { OpenMessage } from './windows.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

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
