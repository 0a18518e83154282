import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { useForm } from '../../hooks/use-form.ts';
import { show } from '../../test/render.tsx';
import { Form } from './Form.tsx';
import { NumberField } from './NumberField.tsx';

const submit = vi.fn((_values: { spindles: number }) => Promise.resolve());

function Mill() {
  const form = useForm({ start: { spindles: Number.NaN }, submit });
  return (
    <Form form={form} label="Mill">
      <NumberField form={form} name="spindles" label="Spindles" digits={4} />
      <output>{form.isDirty ? 'changed' : 'as it was'}</output>
      <button type="submit">Create</button>
    </Form>
  );
}

it('holds the number of the digits that are typed, and NaN while it is empty', async () => {
  const { person } = show(<Mill />);
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Spindles' });
  expect([field.value, screen.getByRole('status').textContent]).toEqual(['', 'as it was']);
  await person.type(field, 'x012,345');
  expect([field.value, screen.getByRole('status').textContent]).toEqual(['1234', 'changed']);
  await person.click(screen.getByRole('button', { name: 'Create' }));
  await person.clear(field);
  expect([field.value, screen.getByRole('status').textContent]).toEqual(['', 'as it was']);
  await person.click(screen.getByRole('button', { name: 'Create' }));
  expect(submit.mock.calls.map(([values]) => values)).toEqual([{ spindles: 1234 }, { spindles: Number.NaN }]);
});
