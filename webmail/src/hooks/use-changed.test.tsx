import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { show } from '../test/render.tsx';
import { growthKey, useChanged } from './use-changed.ts';

function Add() {
  const tellChanged = useChanged(['users']);
  return (
    <button type="button" onClick={() => void tellChanged('Added')}>
      Add
    </button>
  );
}

it('has the records and the numbers of the home page fetched again', async () => {
  const { person, client } = show(<Add />);
  const keys = [['users', 'list'], [...growthKey, 'month'], ['domains']];
  for (const key of keys) client.setQueryData(key, {});
  await person.click(screen.getByRole('button', { name: 'Add' }));
  await screen.findByText('Added');
  expect(keys.map((key) => client.getQueryState(key)?.isInvalidated)).toEqual([true, true, false]);
});
