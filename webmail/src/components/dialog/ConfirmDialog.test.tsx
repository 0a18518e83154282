import { cleanup, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../lib/api-error.ts';
import { pending, show } from '../../test/render.tsx';
import { ConfirmDialog } from './ConfirmDialog.tsx';

type Props = Partial<Parameters<typeof ConfirmDialog>[0]>;

function ask(props: Props = {}) {
  const onConfirm = vi.fn(props.onConfirm ?? (() => undefined));
  const onClose = vi.fn();
  const shown = show(
    <ConfirmDialog
      title="Delete the bale?"
      text="It will be gone."
      confirmLabel="Delete"
      busyLabel="Deleting"
      cancelLabel="Cancel"
      {...props}
      onConfirm={onConfirm}
      onClose={onClose}
    />,
  );
  return { ...shown, onConfirm, onClose, confirm: screen.getByRole('button', { name: 'Delete' }) };
}

describe('ConfirmDialog', () => {
  it('does what was asked and closes', async () => {
    const { person, onConfirm, onClose, confirm } = ask({ isDangerous: true });
    screen.getByRole('alertdialog', { name: 'Delete the bale?' });
    await person.click(confirm);
    expect(onConfirm).toHaveBeenCalledOnce();
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('marks what cannot be taken back', () => {
    const plain = ask().confirm.className;
    cleanup();
    expect(ask({ isDangerous: true }).confirm.className).not.toBe(plain);
  });

  it('does nothing when it is cancelled, by its button or by Escape', async () => {
    const { person, onConfirm, onClose } = ask();
    await person.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(onClose).toHaveBeenCalledOnce();
    await person.keyboard('{Escape}');
    expect(onClose).toHaveBeenCalledTimes(2);
    expect(onConfirm).not.toHaveBeenCalled();
  });

  it('waits for the word, which becomes capitals as it is typed', async () => {
    const { person, onConfirm, confirm } = ask({ word: 'DELETE' });
    const field = screen.getByLabelText<HTMLInputElement>('Type DELETE to confirm');
    await person.type(field, 'delet');
    await person.click(confirm);
    expect(onConfirm).not.toHaveBeenCalled();
    await person.type(field, 'e');
    expect(field.value).toBe('DELETE');
    await person.click(confirm);
    expect(onConfirm).toHaveBeenCalledOnce();
  });

  it('takes the word with blanks around it, which a phone adds as it completes words', async () => {
    const { person, onConfirm, confirm } = ask({ word: 'DELETE' });
    await person.type(screen.getByLabelText('Type DELETE to confirm'), ' delete ');
    await person.click(confirm);
    expect(onConfirm).toHaveBeenCalledOnce();
  });

  it('stays open while it works, takes no second press and no Escape', async () => {
    const work = pending<void>();
    const { person, onConfirm, onClose, confirm } = ask({ onConfirm: () => work.promise });
    await person.click(confirm);
    const busy = screen.getByRole('button', { name: 'Deleting' });
    await person.click(busy);
    await person.keyboard('{Escape}');
    await person.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(onConfirm).toHaveBeenCalledOnce();
    expect(onClose).not.toHaveBeenCalled();
    work.resolve();
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  });

  it('says inside what failed, and can be tried again', async () => {
    const failures = [new ApiError('The bale is in use.', { status: 409 })];
    const { person, onClose, confirm } = ask({
      onConfirm: () => (failures.length > 0 ? Promise.reject(failures.pop()) : Promise.resolve()),
    });
    await person.click(confirm);
    expect((await screen.findByRole('alert')).textContent).toBe('The bale is in use.');
    expect(onClose).not.toHaveBeenCalled();
    await person.click(screen.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  });
});
