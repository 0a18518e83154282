import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { storeTokens } from '../../lib/session.ts';
import { serveList } from '../../test/list-server.ts';
import { show } from '../../test/render.tsx';
import { type Pane, PaneContext } from './pane.ts';
import { useNeighbours } from './use-neighbours.ts';

const pane: Pane = { place: 'right', listAddress: '/dashboard/inbox?page=1&limit=5', openId: null, part: 'beside' };

function Neighbours({ id }: { id: string }) {
  const { previous, next } = useNeighbours(id);
  return (
    <>
      <button disabled={!previous}>newer</button>
      <button disabled={!next}>older</button>
    </>
  );
}

const isEnabled = (name: string): boolean => !screen.getByRole<HTMLButtonElement>('button', { name }).disabled;

/** Shows the neighbours of a message of the first page of an inbox with these messages. */
function open(id: string, inbox: readonly string[]) {
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: '7', expires_in: 900 });
  const server = serveList(() => inbox.map((_id) => ({ _id })));
  show(
    <PaneContext value={pane}>
      <Neighbours id={id} />
    </PaneContext>,
    `/dashboard/inbox/${id}`,
  );
  return server;
}

it('finds a message that new mail has pushed to the next page since its list was shown', async () => {
  open('4', ['9', '8', '7', '6', '5', '4', '3']);
  await expect.poll(() => isEnabled('older')).toBe(true);
  await expect.poll(() => isEnabled('newer')).toBe(true);
});

it('asks for no other page when the message is on the first one', async () => {
  const server = open('7', ['9', '8', '7', '6', '5', '4', '3']);
  await expect.poll(() => isEnabled('older')).toBe(true);
  expect(server.asked.filter(({ page }) => page !== undefined && page !== '1')).toEqual([]);
});
