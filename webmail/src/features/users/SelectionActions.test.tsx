import { useQuery } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { useSelection } from '../../hooks/use-selection.ts';
import { usersKey } from '../../lib/record-keys.ts';
import { endSession, storeTokens } from '../../lib/session.ts';
import { show } from '../../test/render.tsx';
import { SelectionActions } from './SelectionActions.tsx';

/** The inactive users of a list, and their ids. */
let inactive = ['1'];
const keyOf = (id: string): string => id;

function List() {
  const { data = [] } = useQuery({ queryKey: [...usersKey, 'list'], queryFn: () => [...inactive] });
  const { share, chosen, chooseAll } = useSelection(data, keyOf);
  const users = { share, chosen: [], isChosen: () => true, choose: vi.fn(), chooseAll, chooseThose: vi.fn() };
  return (
    <main>
      <h1 tabIndex={-1}>Users</h1>
      {data.length > 0 && <button onClick={() => chooseAll(true)}>All</button>}
      {chosen.length > 0 && <SelectionActions selection={users} />}
    </main>
  );
}

afterEach(() => {
  endSession();
  vi.unstubAllGlobals();
});

it('gives the focus to the heading when all ticked rows leave the list', async () => {
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  vi.stubGlobal('fetch', async () => {
    inactive = [];
    return Response.json({ success: true, message: '', data: { changed: ['1'], refused: [] } });
  });
  const { person } = show(<List />);
  await person.click(await screen.findByRole('button', { name: 'All' }));
  await person.click(screen.getByRole('button', { name: 'Activate' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Activate' })).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Users' })));
});
