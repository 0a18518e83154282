import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { choicesKey, matricesKey } from '../lib/record-keys.ts';
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

it('has the records fetched again, and all that is made of records of several kinds', async () => {
  const { person, client } = show(<Add />);
  const keys = [
    ['users', 'list'],
    [...growthKey, 'month'],
    [...choicesKey, '1'],
    [...matricesKey, 'user', '1'],
    ['domains'],
  ];
  for (const key of keys) client.setQueryData(key, {});
  await person.click(screen.getByRole('button', { name: 'Add' }));
  await screen.findByText('Added');
  expect(keys.map((key) => client.getQueryState(key)?.isInvalidated)).toEqual([true, true, true, true, false]);
});
