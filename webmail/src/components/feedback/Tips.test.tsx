import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { show } from '../../test/render.tsx';
import { Tips } from './Tips.tsx';

const hover = (element: Element) => fireEvent.pointerOver(element, { pointerType: 'mouse' });

it('a tooltip stays while the pointer rests on it, and goes when the pointer leaves both', async () => {
  show(
    <>
      <button type="button" data-tip="Archive">
        A
      </button>
      <p>Elsewhere</p>
      <Tips />
    </>,
  );
  hover(screen.getByRole('button'));
  const tooltip = await screen.findByText('Archive');
  // Between the button and its tooltip there is a gap
  hover(screen.getByText('Elsewhere'));
  hover(tooltip);
  await expect(waitFor(() => expect(screen.queryByText('Archive')).toBeNull(), { timeout: 500 })).rejects.toThrow();
  hover(screen.getByText('Elsewhere'));
  await waitFor(() => expect(screen.queryByText('Archive')).toBeNull());
});
