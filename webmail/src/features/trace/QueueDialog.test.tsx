import { screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { storeTokens } from '../../lib/session.ts';
import { serveList } from '../../test/list-server.ts';
import { pending, show } from '../../test/render.tsx';
import { QueueDialog } from './QueueDialog.tsx';
import { type QueueAct, useQueueActions } from './use-queue-actions.ts';

let bodies: unknown[] = [];
/** What the server answers to each part of the change, in their order. */
let parts: (() => Response)[] = [];

const partOf = (changed: number, hasMore: boolean) => () =>
  Response.json({ success: true, message: '', data: { changed, has_more: hasMore, before: '2026-11-25T10:00:00Z' } });
const failing = () => Response.json({ success: false, message: 'Away for a moment' }, { status: 500 });

function signIn(sub: string): void {
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub }))}.x`, refreshToken: sub, expires_in: 900 });
}

// The dialog comes with much of Fluent, which takes its time
beforeAll(() => import('../../components/dialog/DialogFrame.tsx'), 60_000);
beforeEach(() => {
  [bodies, parts] = [[], []];
  signIn('7');
  serveList(() => []);
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit = {}) => {
    bodies.push(JSON.parse(String(init.body)));
    return (parts.shift() ?? partOf(0, false))();
  });
});

function ask(act: QueueAct) {
  const onClose = vi.fn();
  return { ...show(<QueueDialog act={act} onClose={onClose} />), onClose };
}

it('says which mail is given up, and goes on part by part until all is done', async () => {
  parts = [partOf(50, true), partOf(3, false)];
  const { person, onClose } = ask({ action: 'give_up', domain: 'slow.test', reason: 'timeout', count: 53 });
  await screen.findByRole('alertdialog', { name: 'Give up all 53 messages?' });
  await screen.findByText(
    /^This applies to mail that waits for slow.test for this reason: .* did not answer in time\.$/,
  );
  await person.click(screen.getByRole('button', { name: 'Give up' }));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  const body = { action: 'give_up', domain: 'slow.test', reason: 'timeout' };
  expect(bodies).toEqual([body, { ...body, before: '2026-11-25T10:00:00Z' }]);
  expect((await screen.findAllByText('53 messages were given up')).length).toBeGreaterThan(0);
});

it('names no reason for all mail of a domain, and goes on behind a part that failed', async () => {
  parts = [partOf(500, true), failing, partOf(100, false)];
  const { person, onClose } = ask({ action: 'retry', domain: 'slow.test', count: 600 });
  await screen.findByText('This applies to all mail that waits for slow.test, except what is held.');
  await person.click(screen.getByRole('button', { name: 'Retry now' }));
  await screen.findByText('500 of 600 done');
  await person.click(await screen.findByRole('button', { name: 'Continue' }));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(bodies[0]).toEqual({ action: 'retry', domain: 'slow.test' });
  expect((await screen.findAllByText('600 messages are being tried now')).length).toBeGreaterThan(0);
});

it('tells what was changed when a part fails and the person leaves', async () => {
  parts = [partOf(500, true), failing];
  const { person, onClose } = ask({ action: 'hold', domain: 'slow.test', count: 600 });
  await person.click(await screen.findByRole('button', { name: 'Hold' }));
  await screen.findByRole('button', { name: 'Continue' });
  await person.click(screen.getByRole('button', { name: 'Stop' }));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect((await screen.findAllByText('500 messages are held')).length).toBeGreaterThan(0);
});

function Row({ act }: { act: QueueAct }) {
  const { changeMany } = useQueueActions();
  return <button onClick={() => void changeMany(act)}>act</button>;
}

it('tells both what was changed and what failed without a dialog as well', async () => {
  parts = [partOf(500, true), failing];
  const { person, client } = show(<Row act={{ action: 'release', domain: 'slow.test', reason: 'x', count: 500 }} />);
  const refetched = vi.spyOn(client, 'invalidateQueries');
  await person.click(screen.getByRole('button', { name: 'act' }));
  expect((await screen.findAllByText('500 messages are released')).length).toBeGreaterThan(0);
  expect((await screen.findAllByText('Away for a moment')).length).toBeGreaterThan(0);
  expect(refetched).toHaveBeenCalledWith({ queryKey: ['queue'] });
});

it('changes nothing in the name of the next person, nor tells them', async () => {
  const hasSignedIn = pending<void>();
  parts = [
    () => {
      signIn('8');
      hasSignedIn.resolve();
      return partOf(500, true)();
    },
  ];
  const { person } = show(<Row act={{ action: 'release', domain: 'slow.test', count: 500 }} />);
  await person.click(screen.getByRole('button', { name: 'act' }));
  await hasSignedIn.promise;
  // What was said of the next change comes after anything that was said of the first
  await person.click(screen.getByRole('button', { name: 'act' }));
  await screen.findAllByText(/^Nothing was changed/);
  expect(bodies).toHaveLength(2);
  expect(screen.queryByText('500 messages are released')).toBeNull();
});
