import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { show } from '../test/render.tsx';
import { FileChoice } from './FileChoice.tsx';

it('opens the choice of the device, and takes the same file again', async () => {
  const onFiles = vi.fn();
  const { person } = show(
    <FileChoice label="Rows to add" accept=".csv" onFiles={onFiles}>
      {(choose) => (
        <button type="button" onClick={choose}>
          Choose
        </button>
      )}
    </FileChoice>,
  );
  const input = screen.getByLabelText<HTMLInputElement>('Rows to add');
  const opened = vi.fn();
  input.addEventListener('click', opened);
  await person.click(screen.getByRole('button', { name: 'Choose' }));
  expect(opened).toHaveBeenCalledOnce();
  const file = new File(['a,b'], 'rows.csv', { type: 'text/csv' });
  for (let time = 0; time < 2; time += 1) await person.upload(input, file);
  expect(onFiles.mock.calls).toEqual([[[file]], [[file]]]);
  expect(input.value).toBe('');
});
