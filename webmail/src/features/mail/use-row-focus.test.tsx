import { render, screen, waitFor } from '@testing-library/react';
import { useRef } from 'react';
import { expect, it } from 'vitest';
import '../../test/render.tsx';
import { rememberPlace } from './list-place.ts';
import { useRowFocus } from './use-row-focus.ts';

const rows = [{ _id: '1' }, { _id: '2' }];

function List() {
  const scrollRef = useRef<HTMLDivElement>(null);
  const { rememberFocus } = useRowFocus(rows, scrollRef, '/list');
  return (
    <div ref={scrollRef}>
      {rows.map(({ _id }) => (
        <a key={_id} href={`#${_id}`} data-row-link="" onFocus={() => rememberFocus(_id)}>
          Message {_id}
        </a>
      ))}
    </div>
  );
}

it('gives the focus back to the row where the person was', () => {
  rememberPlace('/list', { scrollTop: 0, rowId: '2', index: 1 });
  render(<List />);
  expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Message 2' }));
});

it('leaves the focus in a question that has opened before the list was there', () => {
  rememberPlace('/list', { scrollTop: 0, rowId: '2', index: 1 });
  const page = (hasList: boolean) => (
    <>
      <div role="alertdialog">
        <button type="button">Discard</button>
      </div>
      {hasList && <List />}
    </>
  );
  const { rerender } = render(page(false));
  const button = screen.getByRole('button', { name: 'Discard' });
  button.focus();
  rerender(page(true));
  expect(document.activeElement).toBe(button);
});

it('gives the focus to the heading when the list leaves with its last row', async () => {
  const page = (hasList: boolean) => (
    <main>
      <h1 tabIndex={-1}>Inbox</h1>
      {hasList && <List />}
    </main>
  );
  const { rerender } = render(page(true));
  screen.getByRole('link', { name: 'Message 1' }).focus();
  rerender(page(false));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading')));
});
