import { screen, waitFor } from '@testing-library/react';
import { type ComponentType, useState } from 'react';
import { expect, it, vi } from 'vitest';
import { listenForShortcuts, useShortcuts } from '../hooks/use-shortcuts.ts';
import { pending, show } from '../test/render.tsx';
import { KeysRest } from './KeysRest.tsx';
import { lazyExtra } from './lazy-extra.tsx';

interface QuestionProps {
  onClose: () => void;
}

const Question = () => <p>The question</p>;
const module = { default: Question as ComponentType<QuestionProps> };

/** A page that asks by a button or by `v`, and archives by `e`. */
function opener(Extra: ComponentType<QuestionProps>, onArchive: () => void) {
  return function Opener() {
    const [isOpen, setOpen] = useState(false);
    useShortcuts({ v: () => setOpen(true), e: onArchive });
    return (
      <>
        <button type="button" onClick={() => setOpen(true)}>
          {isOpen ? 'Asking' : 'Ask'}
        </button>
        {isOpen && <Extra onClose={() => setOpen(false)} />}
      </>
    );
  };
}

it('is no longer open after it could not be fetched, and is fetched again when it is asked for', async () => {
  const load = vi.fn().mockRejectedValueOnce(new Error('away')).mockResolvedValue(module);
  const Opener = opener(lazyExtra<QuestionProps>(load), vi.fn());
  const { person } = show(<Opener />);
  await person.click(screen.getByRole('button', { name: 'Ask' }));
  await waitFor(() => expect(load).toHaveBeenCalledOnce());
  await person.click(await screen.findByRole('button', { name: 'Ask' }));
  await screen.findByText('The question');
});

it('is no longer open after it broke', async () => {
  const Broken = (): never => {
    throw new Error('broken');
  };
  vi.spyOn(console, 'error').mockReturnValue(undefined);
  const Opener = opener(
    lazyExtra<QuestionProps>(async () => ({ default: Broken })),
    vi.fn(),
  );
  const { person } = show(<Opener />);
  await person.click(screen.getByRole('button', { name: 'Ask' }));
  await screen.findByText(/could not be loaded/);
  await screen.findByRole('button', { name: 'Ask' });
});

it('lets the keys of the page rest until it is there', async () => {
  listenForShortcuts();
  const { promise, resolve } = pending<typeof module>();
  const handleArchive = vi.fn();
  const Opener = opener(
    lazyExtra<QuestionProps>(() => promise, { Waiting: KeysRest }),
    handleArchive,
  );
  const { person } = show(<Opener />);
  await person.keyboard('e');
  expect(handleArchive).toHaveBeenCalledOnce();
  await person.keyboard('v');
  await person.keyboard('letters');
  expect(handleArchive).toHaveBeenCalledOnce();
  resolve(module);
  await screen.findByText('The question');
  await person.keyboard('e');
  expect(handleArchive).toHaveBeenCalledTimes(2);
});
