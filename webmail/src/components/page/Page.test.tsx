import { screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { expect, it } from 'vitest';
import { followFocusMoves } from '../../lib/focus-moves.ts';
import { show } from '../../test/render.tsx';
import { Page } from './Page.tsx';

followFocusMoves();

function App({ hasCome }: { hasCome: boolean }) {
  return (
    <MemoryRouter>
      <nav>
        <button type="button">Inbox</button>
        <button type="button">Sent</button>
      </nav>
      {hasCome && <Page title="Inbox Mail">{null}</Page>}
    </MemoryRouter>
  );
}

const button = (name: string) => screen.getByRole('button', { name });

it('gives its heading the focus that is still on what led to it', async () => {
  const { person, rerender } = show(<p>Before</p>);
  rerender(<App hasCome={false} />);
  await person.click(button('Inbox'));
  rerender(<App hasCome />);
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Inbox Mail' }));
});

it('leaves the focus to a person who goes on by Tab while it is on its way', async () => {
  const { person, rerender } = show(<p>Before</p>);
  rerender(<App hasCome={false} />);
  await person.click(button('Inbox'));
  await person.tab();
  expect(document.activeElement).toBe(button('Sent'));
  rerender(<App hasCome />);
  expect(document.activeElement).toBe(button('Sent'));
});
