import { Button } from '@fluentui/react-components';
import { act, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { DialogFrame } from '../components/dialog/DialogFrame.tsx';
import { show } from '../test/render.tsx';

interface Props {
  names: string[];
  /** The row leaves before the dialog does, and not behind it. */
  isFirst: boolean;
}

/** A page with a list whose rows can be deleted in a dialog. */
function List({ names, isFirst }: Props) {
  const [rows, setRows] = useState(names);
  const [asked, setAsked] = useState<string | null>(null);
  const leave = (): void => setRows(rows.filter((row) => row !== asked));
  const remove = (): void => {
    if (isFirst) leave();
    setTimeout(() => setAsked(null), 20);
    if (!isFirst) setTimeout(leave, 150);
  };
  return (
    <main>
      <h1 tabIndex={-1}>People</h1>
      <ul>
        {rows.map((row) => (
          <li key={row}>
            <Button onClick={() => setAsked(row)}>Delete {row}</Button>
          </li>
        ))}
      </ul>
      {asked && (
        <DialogFrame title="Sure?" onClose={() => setAsked(null)} actions={<Button onClick={remove}>Yes</Button>}>
          It is gone then.
        </DialogFrame>
      )}
    </main>
  );
}

const focusOn = async (find: () => HTMLElement): Promise<void> =>
  await waitFor(() => expect(document.activeElement).toBe(find()));

describe.each([true, false])('the focus behind a dialog whose row leaves (before it: %s)', (isFirst) => {
  it.each([
    ['Ben', 'Delete Carl'],
    ['Carl', 'Delete Ben'],
  ])('goes to the row that takes the place of %s', async (name, next) => {
    const { person } = show(<List names={['Ana', 'Ben', 'Carl']} isFirst={isFirst} />);
    await person.click(screen.getByRole('button', { name: `Delete ${name}` }));
    await person.click(screen.getByRole('button', { name: 'Yes' }));
    await waitFor(() => expect(screen.queryByText(`Delete ${name}`)).toBeNull());
    await focusOn(() => screen.getByRole('button', { name: next }));
  });

  it('stays lost when the person moved it after the row had left', async () => {
    const { person, unmount } = show(<List names={['Ana', 'Ben', 'Carl']} isFirst={isFirst} />);
    await person.click(screen.getByRole('button', { name: 'Delete Ben' }));
    await person.click(screen.getByRole('button', { name: 'Yes' }));
    await focusOn(() => screen.getByRole('button', { name: 'Delete Carl' }));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    unmount();
    // The row is gone, and its place is looked for a moment later
    await Promise.resolve();
    render(
      <main>
        <h1 tabIndex={-1}>Mail</h1>
        <button>Write</button>
      </main>,
    );
    act(() => screen.getByRole('button', { name: 'Write' }).focus());
    act(() => screen.getByRole('button', { name: 'Write' }).blur());
    vi.advanceTimersByTime(1_000);
    expect(document.activeElement).toBe(document.body);
  });

  it('goes to the heading where the list is empty', async () => {
    const { person } = show(<List names={['Ana']} isFirst={isFirst} />);
    await person.click(screen.getByRole('button', { name: 'Delete Ana' }));
    await person.click(screen.getByRole('button', { name: 'Yes' }));
    await focusOn(() => screen.getByRole('heading', { name: 'People' }));
  });
});

/** A page whose button is removed while its dialog is open. */
function Page() {
  const [isOpen, setOpen] = useState(false);
  const [isDone, setDone] = useState(false);
  return (
    <main>
      <h1 tabIndex={-1}>Cloth</h1>
      {!isDone && <Button onClick={() => setOpen(true)}>Weave</Button>}
      {isOpen && (
        <DialogFrame
          title="Sure?"
          onClose={() => setOpen(false)}
          actions={<Button onClick={() => setDone(true)}>Yes</Button>}
        >
          It is woven then.
        </DialogFrame>
      )}
    </main>
  );
}

it('goes to the heading when the button behind a dialog has left', async () => {
  const { person } = show(<Page />);
  await person.click(screen.getByRole('button', { name: 'Weave' }));
  await person.click(screen.getByRole('button', { name: 'Yes' }));
  await person.keyboard('{Escape}');
  await focusOn(() => screen.getByRole('heading', { name: 'Cloth' }));
});
