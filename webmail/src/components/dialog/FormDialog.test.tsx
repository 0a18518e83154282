import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { useForm } from '../../hooks/use-form.ts';
import { unsavedWork, workLostByLeaving } from '../../lib/unsaved-work.ts';
import { show } from '../../test/render.tsx';
import { TextField } from '../form/fields.tsx';
import { FormDialog } from './FormDialog.tsx';
import { InfoDialog } from './InfoDialog.tsx';

interface Props {
  submit?: () => Promise<unknown>;
  onDone?: () => void;
  onClose?: () => void;
}

function Edit({ submit = () => Promise.resolve(), onDone, onClose = () => undefined }: Props) {
  const form = useForm({ start: { name: '' }, submit, ...(onDone && { onDone }) });
  return (
    <FormDialog form={form} title="Edit group" submitLabel="Save" busyLabel="Saving" onClose={onClose}>
      <TextField form={form} name="name" label="Name" />
    </FormDialog>
  );
}

const lost = () => workLostByLeaving().map(({ name }) => name);

describe('FormDialog', () => {
  it('has what is typed in it asked about before another screen comes', async () => {
    const { person, unmount } = show(<Edit />);
    expect(lost()).toEqual([]);
    await person.type(screen.getByLabelText('Name'), 'Sales');
    expect(lost()).toEqual(['“Edit group”']);
    await person.clear(screen.getByLabelText('Name'));
    expect(lost()).toEqual([]);
    await person.type(screen.getByLabelText('Name'), 'Sales');
    unmount();
    expect(unsavedWork()).toEqual([]);
  });

  it('lets Cancel lead to another screen at once', async () => {
    const lostThen: string[][] = [];
    const { person } = show(<Edit onClose={() => lostThen.push(lost())} />);
    await person.type(screen.getByLabelText('Name'), 'Sales');
    await person.click(screen.getByRole('button', { name: 'Cancel' }));
    await person.keyboard('{Escape}');
    await person.click(await screen.findByRole('button', { name: 'Discard' }));
    expect(lostThen).toEqual([[], []]);
  });

  it('holds what is on its way until the server has answered, and takes no more text meanwhile', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const lostThen: string[][] = [];
    const { person } = show(<Edit submit={() => promise} onDone={() => lostThen.push(lost())} />);
    const name = screen.getByLabelText<HTMLInputElement>('Name');
    await person.type(name, 'Sales');
    await person.click(screen.getByRole('button', { name: 'Save' }));
    await person.type(name, ' and more');
    expect([lost(), name.value]).toEqual([['“Edit group”'], 'Sales']);
    resolve();
    await waitFor(() => expect(lostThen).toEqual([[]]));
  });

  it('lets the screen change once it is saved, and holds what could not be saved', async () => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const answers = [promise, Promise.resolve()];
    const lostThen: string[][] = [];
    const { person } = show(
      <Edit submit={() => answers.shift() ?? Promise.resolve()} onDone={() => lostThen.push(lost())} />,
    );
    await person.type(screen.getByLabelText('Name'), 'Sales');
    await person.click(screen.getByRole('button', { name: 'Save' }));
    reject(new Error('the line is down'));
    resolve();
    await screen.findByRole('alert');
    expect(lost()).toEqual(['“Edit group”']);
    await person.click(screen.getByRole('button', { name: 'Save' }));
    expect(lostThen).toEqual([[]]);
  });
});

describe('InfoDialog', () => {
  it.each([true, false])('asks before it goes with what is shown only once (%s)', async (isShownOnce) => {
    const lostThen: string[][] = [];
    const { person } = show(
      <InfoDialog title="Your codes" doneLabel="Done" isShownOnce={isShownOnce} onClose={() => lostThen.push(lost())}>
        1234
      </InfoDialog>,
    );
    expect(lost()).toEqual(isShownOnce ? ['“Your codes”'] : []);
    await person.click(screen.getByRole('button', { name: 'Done' }));
    expect(lostThen).toEqual([[]]);
  });
});
