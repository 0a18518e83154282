import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { CheckField, SelectField, SwitchField } from '../components/form/choice-fields.tsx';
import { TextField } from '../components/form/fields.tsx';
import { Form } from '../components/form/Form.tsx';
import { PasswordField } from '../components/form/PasswordField.tsx';
import { SubmitButton } from '../components/form/SubmitButton.tsx';
import { TextAreaField } from '../components/form/TextAreaField.tsx';
import { ApiError } from '../lib/api-error.ts';
import { unsavedWork } from '../lib/unsaved-work.ts';
import { pending, show } from '../test/render.tsx';
import { type FormOptions, useForm } from './use-form.ts';

const schema = z.object({
  name: z.string().trim().min(1, 'Name is required'),
  town: z.string().max(10, 'At most 10 characters'),
});
type Mill = { name: string; town: string };
type Options = Partial<FormOptions<Mill, Mill>>;

const start: Mill = { name: '', town: '' };

function MillForm(options: Options) {
  const form = useForm<Mill, Mill>({ start, schema, submit: (values) => Promise.resolve(values), ...options });
  return (
    <Form form={form} label="Mill">
      <TextField form={form} name="name" label="Name" isRequired />
      <TextField form={form} name="town" label="Town" />
      <SubmitButton label="Save" busyLabel="Saving" isBusy={form.isPending} />
      <output>{form.isDirty ? 'changed' : 'as it was'}</output>
    </Form>
  );
}

const field = (label: string | RegExp) => screen.getByLabelText<HTMLInputElement>(label);
const press = (name: string) => screen.getByRole('button', { name });

/** What a screen reader says of a field beside its label. */
function described(label: string | RegExp): string {
  const ids = field(label).getAttribute('aria-describedby')?.split(' ') ?? [];
  return ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
}

function refusal(
  details: Partial<ConstructorParameters<typeof ApiError>[1]>,
  message = 'Please check the marked fields.',
) {
  return new ApiError(message, { status: 422, ...details });
}

describe('a form', () => {
  it('sends what was typed, and tells when it is done', async () => {
    const submit = vi.fn((values: Mill) => Promise.resolve(values));
    const onDone = vi.fn();
    const { person } = show(<MillForm submit={submit} onDone={onDone} />);
    await person.type(field(/^Name/), 'North Mill');
    await person.type(field('Town'), 'Erode{Enter}');
    await waitFor(() => expect(onDone).toHaveBeenCalledOnce());
    expect(submit).toHaveBeenCalledWith({ name: 'North Mill', town: 'Erode' }, undefined, start);
    expect(onDone.mock.calls[0]?.[0]).toEqual({ name: 'North Mill', town: 'Erode' });
  });

  it('says at each field what its schema finds, sends nothing, and goes to the first of them', async () => {
    const submit = vi.fn((values: Mill) => Promise.resolve(values));
    const { person } = show(<MillForm submit={submit} />);
    await person.type(field('Town'), 'Coimbatore South');
    await person.click(press('Save'));
    expect(described(/^Name/)).toBe('Name is required');
    expect(described('Town')).toBe('At most 10 characters');
    expect(field('Town').getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(field(/^Name/));
    expect(submit).not.toHaveBeenCalled();
    await person.type(field(/^Name/), 'N');
    expect(described(/^Name/)).toBe('');
    expect(described('Town')).toBe('At most 10 characters');
  });

  it('knows whether something was changed', async () => {
    const { person } = show(<MillForm />);
    await person.type(field('Town'), 'E');
    screen.getByText('changed');
    await person.clear(field('Town'));
    screen.getByText('as it was');
  });

  it('says that it sends, and sends once however often it is told to', async () => {
    const work = pending<Mill>();
    const submit = vi.fn(() => work.promise);
    const { person } = show(<MillForm submit={submit} start={{ name: 'North', town: '' }} />);
    const form = screen.getByRole('form', { name: 'Mill' });
    act(() => {
      fireEvent.submit(form);
      fireEvent.submit(form);
    });
    await person.click(await screen.findByRole('button', { name: 'Saving' }));
    expect(submit).toHaveBeenCalledOnce();
    await act(async () => work.resolve({ name: 'North', town: '' }));
    expect(press('Save')).toBeTruthy();
  });

  it('says that it was done, and not that it failed, when only what comes after the save fails', async () => {
    const submit = vi.fn((values: Mill) => Promise.resolve(values));
    const onDone = () => Promise.reject(new TypeError('rows is undefined'));
    const { person } = show(<MillForm submit={submit} onDone={onDone} fallback="Submission failed. Try again." />);
    await person.type(field(/^Name/), 'North{Enter}');
    await screen.findByText('This was done, but the page could not show it.');
    expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
    expect(screen.queryByText(/failed/)).toBeNull();
    expect(submit).toHaveBeenCalledOnce();
  });

  it('begins with what was typed before and kept', () => {
    show(<MillForm start={{ name: 'North', town: 'Erode' }} kept={{ town: 'Salem' }} />);
    expect(field('Town').value).toBe('Salem');
    screen.getByText('changed');
  });

  it('goes on from the saved record, with what was typed during the save on top', async () => {
    const work = pending<Mill>();
    const afterSave = (values: Mill) => ({ values });
    const { person } = show(<MillForm submit={() => work.promise} afterSave={afterSave} />);
    await person.type(field(/^Name/), ' North{Enter}');
    await person.type(field('Town'), 'Salem');
    await act(async () => work.resolve({ name: 'North', town: '' }));
    expect(field(/^Name/).value).toBe('North');
    expect(field('Town').value).toBe('Salem');
    screen.getByText('changed');
  });
});

describe('a call that fails', () => {
  const filled = { name: 'North', town: 'Erode' };
  const failing = (failure: unknown, options: Options = {}) => (
    <MillForm start={filled} submit={() => Promise.reject(failure)} {...options} />
  );

  it('is told at the fields that the server names, and keeps what was typed', async () => {
    const { person } = show(
      failing(refusal({ fields: { mill_name: 'This name is taken' } }), { fieldNames: { mill_name: 'name' } }),
    );
    await person.click(press('Save'));
    expect(await screen.findByText('This name is taken')).toBeTruthy();
    expect(described(/^Name/)).toBe('This name is taken');
    expect(document.activeElement).toBe(field(/^Name/));
    expect(field('Town').value).toBe('Erode');
    expect(screen.queryByText('Please check the marked fields.')).toBeNull();
  });

  it('is told above the form for a field that the form does not have', async () => {
    const { person } = show(failing(refusal({ fields: { town: 'No such town', plan: 'The plan has ended.' } })));
    await person.click(press('Save'));
    await screen.findByText('The plan has ended.');
    expect(described('Town')).toBe('No such town');
  });

  it('is told in the server’s words, or in those of the form where there was no answer', async () => {
    const failures = [new ApiError('The mill is closed.', { status: 409 }), new TypeError('x is undefined')];
    const { person } = show(
      <MillForm
        start={filled}
        submit={() => Promise.reject(failures.shift())}
        fallback="Submission failed. Try again."
      />,
    );
    await person.click(press('Save'));
    await screen.findByText('The mill is closed.');
    await person.click(press('Save'));
    await screen.findByText('Submission failed. Try again.');
    expect(screen.queryByText('The mill is closed.')).toBeNull();
  });

  it('is told at the one field that stands for all of them', async () => {
    const { person } = show(failing(new ApiError('Wrong.', { status: 401 }), { failureField: 'name' }));
    await person.click(press('Save'));
    await screen.findByText('Wrong.');
    expect(described(/^Name/)).toBe('Wrong.');
  });

  it('may empty a field, whose problem still stands there', async () => {
    const options: Options = { failureField: 'name', onFailed: () => ({ name: '' }) };
    const { person } = show(failing(new ApiError('Wrong.', { status: 401 }), options));
    await person.click(press('Save'));
    await screen.findByText('Wrong.');
    expect(field(/^Name/).value).toBe('');
    expect(described(/^Name/)).toBe('Wrong.');
  });
});

describe('a record that was saved by another person meanwhile', () => {
  const mine = { name: 'North', town: 'Erode' };
  const theirs = { name: 'North Mill', town: 'Karur' };
  const conflict = {
    by: 'Ravi K',
    at: '2026-01-15T10:00:00.000Z',
    fields: ['mill_name', 'town', 'map'],
    current: { ...theirs, version: 8 },
  };

  function conflicting() {
    const submit = vi.fn((_values: Mill, version: unknown) =>
      version === 8
        ? Promise.resolve(theirs)
        : Promise.reject(refusal({ status: 409, code: 'changed_meanwhile', conflict })),
    );
    const shown = show(
      <MillForm
        start={mine}
        version={7}
        submit={submit}
        fieldNames={{ mill_name: 'name' }}
        fieldLabels={{ map: 'Map of the mill' }}
        fromConflict={(current) => {
          const { version, ...values } = current as Mill & { version: number };
          return { values, version };
        }}
      />,
    );
    return { ...shown, submit };
  }

  it('is not overwritten: the form says who changed which fields', async () => {
    const { person, submit } = conflicting();
    await person.type(field('Town'), 'X');
    await person.click(press('Save'));
    await screen.findByText(/^Ravi K changed Name, Town, Map of the mill on .*Nothing of yours was saved yet\.$/);
    expect(submit).toHaveBeenCalledWith({ name: 'North', town: 'ErodeX' }, 7, mine);
    expect(field('Town').value).toBe('ErodeX');
  });

  it('can be taken over with what was typed on top, and saved from there', async () => {
    const { person, submit } = conflicting();
    await person.type(field('Town'), 'X');
    await person.click(press('Save'));
    await person.click(await screen.findByRole('button', { name: 'Keep my changes on top' }));
    expect([field(/^Name/).value, field('Town').value]).toEqual(['North Mill', 'ErodeX']);
    expect(screen.queryByText(/Ravi K/)).toBeNull();
    await person.click(press('Save'));
    await waitFor(() => expect(submit).toHaveBeenLastCalledWith({ name: 'North Mill', town: 'ErodeX' }, 8, theirs));
  });

  it('can be taken over as it is', async () => {
    const { person } = conflicting();
    await person.type(field('Town'), 'X');
    await person.click(press('Save'));
    await person.click(await screen.findByRole('button', { name: 'Use theirs' }));
    expect([field(/^Name/).value, field('Town').value]).toEqual(['North Mill', 'Karur']);
    screen.getByText('as it was');
  });
});

describe('unsaved work', () => {
  it('is known while something is changed, and no longer once it is saved or the form is gone', async () => {
    const { person, unmount } = show(<MillForm unsavedName="the mill" start={{ name: 'N', town: '' }} />);
    expect(unsavedWork()).toEqual([]);
    await person.type(field('Town'), 'E');
    expect(unsavedWork()).toEqual([{ name: 'the mill', survivesNavigation: false }]);
    unmount();
    expect(unsavedWork()).toEqual([]);
  });

  it('has ended when the form is done, so that going elsewhere asks nothing', async () => {
    const seen: number[] = [];
    const onDone = (): void => {
      seen.push(unsavedWork().length);
    };
    const { person } = show(<MillForm unsavedName="the mill" start={{ name: 'N', town: '' }} onDone={onDone} />);
    await person.type(field('Town'), 'E{Enter}');
    await waitFor(() => expect(seen).toEqual([0]));
  });

  it('is known again where a form stays open after a save with something still unsaved', async () => {
    const { person } = show(<MillForm unsavedName="the mill" start={{ name: 'N', town: '' }} />);
    await person.type(field('Town'), 'E{Enter}');
    await waitFor(() => expect(press('Save')).toBeTruthy());
    screen.getByText('changed');
    // The work is noted a moment after it is shown
    await waitFor(() => expect(unsavedWork()).toHaveLength(1));
  });
});

describe('the fields', () => {
  function AllFields({ onSent }: { onSent: (values: object) => unknown }) {
    const form = useForm({
      start: { password: '', notes: '', kind: '', isActive: false, isSure: false },
      submit: async (values) => void (await onSent(values)),
    });
    return (
      <Form form={form} label="All">
        <PasswordField form={form} name="password" label="Password" autoComplete="new-password" />
        <TextAreaField form={form} name="notes" label="Notes" hint="As many lines as you like." />
        <SelectField
          form={form}
          name="kind"
          label="Kind"
          placeholder="None"
          choices={[{ value: 'silk', label: 'Silk' }]}
        />
        <SwitchField form={form} name="isActive" label="Active" />
        <CheckField form={form} name="isSure" label="I am sure" />
        <SubmitButton label="Send" busyLabel="Sending" isBusy={form.isPending} />
      </Form>
    );
  }

  it('hold text, lines, choices, switches and ticks', async () => {
    const onSent = vi.fn();
    const { person } = show(<AllFields onSent={onSent} />);
    const password = field(/^Password/);
    await person.type(password, 'wool');
    expect(password.type).toBe('password');
    await person.click(press('Show password'));
    expect(password.type).toBe('text');
    await person.type(screen.getByLabelText('Notes'), 'one{Enter}two');
    expect(described('Notes')).toContain('As many lines as you like.');
    await person.selectOptions(screen.getByLabelText('Kind'), 'Silk');
    await person.click(screen.getByRole('switch', { name: 'Active' }));
    await person.click(screen.getByRole('checkbox', { name: 'I am sure' }));
    await person.click(press('Send'));
    expect(onSent).toHaveBeenCalledWith({
      password: 'wool',
      notes: 'one\ntwo',
      kind: 'silk',
      isActive: true,
      isSure: true,
    });
  });

  it('take nothing while what was sent is saved, since the form does not go on from it', async () => {
    const saving = pending<void>();
    const { person } = show(<AllFields onSent={() => saving.promise} />);
    await person.click(press('Send'));
    await person.type(field(/^Password/), 'wool');
    await person.selectOptions(screen.getByLabelText('Kind'), 'Silk');
    await person.click(screen.getByRole('switch', { name: 'Active' }));
    await person.click(screen.getByRole('checkbox', { name: 'I am sure' }));
    expect(field(/^Password/).value).toBe('');
    expect(field('Kind').value).toBe('');
    expect(screen.getByRole<HTMLInputElement>('switch', { name: 'Active' }).checked).toBe(false);
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'I am sure' }).checked).toBe(false);
    await act(async () => saving.resolve());
    await person.click(screen.getByRole('switch', { name: 'Active' }));
    expect(screen.getByRole<HTMLInputElement>('switch', { name: 'Active' }).checked).toBe(true);
  });
});
