import { Button, Input } from '@fluentui/react-components';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { show } from '../../test/render.tsx';
import { DialogFrame } from './DialogFrame.tsx';

/** A page with a button that opens a dialog with one field. */
function Opener({ isLocked = false, onClosed = () => undefined }: { isLocked?: boolean; onClosed?: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState('');
  const close = (): void => {
    setOpen(false);
    onClosed();
  };
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open</Button>
      {isOpen && (
        <DialogFrame
          title="A dialog"
          isDirty={text !== ''}
          onClose={isLocked ? undefined : close}
          actions={<Button onClick={close}>Close it</Button>}
        >
          <Input aria-label="Field" value={text} onChange={(_event, data) => setText(data.value)} />
        </DialogFrame>
      )}
    </>
  );
}

async function open(part = <Opener />) {
  const shown = show(part);
  await shown.person.click(screen.getByRole('button', { name: 'Open' }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Field')));
  return shown;
}

describe('DialogFrame', () => {
  it('puts the focus into the first field, and gives it back to what opened the dialog', async () => {
    const { person } = await open();
    await person.click(screen.getByRole('button', { name: 'Close it' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open' })));
  });

  it('is closed by Escape while nothing is typed', async () => {
    const { person } = await open();
    await person.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('stays open for the Escape that ends the composition of an input method', async () => {
    const onClosed = vi.fn();
    await open(<Opener onClosed={onClosed} />);
    fireEvent.keyDown(screen.getByLabelText('Field'), { key: 'Escape', isComposing: true });
    fireEvent.keyDown(screen.getByLabelText('Field'), { key: 'Escape', keyCode: 229 });
    expect(onClosed).not.toHaveBeenCalled();
    fireEvent.keyDown(screen.getByLabelText('Field'), { key: 'Escape' });
    expect(onClosed).toHaveBeenCalledOnce();
  });

  it('asks before Escape throws away what was typed, and keeps it', async () => {
    const onClosed = vi.fn();
    const { person } = await open(<Opener onClosed={onClosed} />);
    await person.type(screen.getByLabelText('Field'), 'wool');
    await person.keyboard('{Escape}');
    const question = await screen.findByRole('alertdialog', { name: 'Discard what you typed?' });
    expect(onClosed).not.toHaveBeenCalled();
    // While the focus moves into the question, it is hidden for a moment
    await person.click(await screen.findByRole('button', { name: 'Keep editing' }));
    await waitFor(() => expect(question.isConnected).toBe(false));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Field')));
    expect(screen.getByLabelText<HTMLInputElement>('Field').value).toBe('wool');
    await person.keyboard('{Escape}');
    await person.click(await screen.findByRole('button', { name: 'Discard' }));
    expect(onClosed).toHaveBeenCalledOnce();
  });

  it('stays open at Escape when it has no way out but its buttons', async () => {
    const { person } = await open(<Opener isLocked />);
    await person.keyboard('{Escape}');
    expect(screen.getByRole('dialog', { name: 'A dialog' })).toBeTruthy();
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });
});
