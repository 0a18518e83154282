import { act, render, screen } from '@testing-library/react';
import { useRef } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import '../../../test/render.tsx';
import { useFirstFocus } from './use-first-focus.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const text = { focus: () => screen.getByRole('textbox', { name: 'Text' }).focus() };

function Window({ startsInTo }: { startsInTo: boolean }) {
  const ref = useRef<HTMLDivElement>(null);
  useFirstFocus(ref, startsInTo, text);
  return (
    <>
      <button>Question</button>
      <div ref={ref}>
        <button>Close</button>
        <select aria-label="From" />
        <input aria-label="To" data-autofocus />
        <button>ana@x.test</button>
        <textarea aria-label="Text" />
      </div>
    </>
  );
}

/** Opens the window, focuses something at once, and waits until the window has looked again. */
function open(startsInTo: boolean, aimed?: () => HTMLElement): void {
  render(<Window startsInTo={startsInTo} />);
  aimed?.().focus();
  act(() => {
    vi.advanceTimersByTime(100);
  });
}

const focused = () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent;

it('begins a new message at its recipients', () => {
  open(true);
  expect(focused()).toBe('To');
});

it('begins an answer in its text', () => {
  open(false);
  expect(focused()).toBe('Text');
});

it('takes the focus from the button that a dialog gives it to', () => {
  open(true, () => screen.getByRole('button', { name: 'Close' }));
  expect(focused()).toBe('To');
});

it.each(['From', 'Text'])('leaves the focus at the field where a person is: %s', (name) => {
  open(true, () => screen.getByLabelText(name));
  expect(focused()).toBe(name);
});

it.each(['ana@x.test', 'Question'])('leaves the focus at the button where a person is: %s', (name) => {
  open(true, () => screen.getByRole('button', { name }));
  expect(focused()).toBe(name);
});

it('leaves the focus where a person is typing outside the window when it opens late', () => {
  render(<input aria-label="Search" />);
  screen.getByLabelText('Search').focus();
  open(false);
  expect(focused()).toBe('Search');
});
