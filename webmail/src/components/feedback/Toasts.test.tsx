import { act, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { show } from '../../test/render.tsx';
import { ConfirmDialog } from '../dialog/ConfirmDialog.tsx';
import { notify } from './notify.ts';

it('says a notice to screen readers while a dialog hides the page from them', async () => {
  const { container } = show(
    <ConfirmDialog
      title="Delete the bale?"
      text="It will be gone."
      confirmLabel="Delete"
      onConfirm={() => {}}
      onClose={() => {}}
    />,
  );
  await waitFor(() => expect(container.getAttribute('aria-hidden')).toBe('true'));
  act(() => notify.success('Copied'));
  const said = await waitFor(() => {
    const texts = [...document.querySelectorAll<HTMLElement>('[aria-live] > *')];
    // The simulated browser keeps `innerText` beside the content of an element
    const text = texts.find((element) => String(element.innerText).includes('Copied'));
    expect(text).toBeDefined();
    return text;
  });
  expect(said?.closest('[aria-hidden="true"]')).toBeNull();
  screen.getByText('Copied');
});

it.each(['{Enter}', '{Escape}'])('gives the focus back to where it was when %s in a toast closes it', async (key) => {
  const undo = vi.fn<() => void>();
  const { person } = show(<button type="button">Wool</button>);
  const button = screen.getByRole('button', { name: 'Wool' });
  button.focus();
  act(() => notify.success('Archived', { label: 'Undo', run: undo }));
  (await screen.findByRole('button', { name: 'Undo' })).focus();
  await person.keyboard(key);
  expect(undo).toHaveBeenCalledTimes(key === '{Enter}' ? 1 : 0);
  await waitFor(() => expect(screen.queryByText('Archived')).toBeNull());
  expect(document.activeElement).toBe(button);
});
