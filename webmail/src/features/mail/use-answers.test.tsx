import type { EmailDto } from '@selvage/core/contracts/email';
import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { listenForShortcuts, useShortcuts } from '../../hooks/use-shortcuts.ts';
import { storeTokens } from '../../lib/session.ts';
import { show } from '../../test/render.tsx';
import { composeRequests, openCompose, wakeKeys } from './compose/compose-store.ts';
import { useAnswers } from './use-answers.ts';

const archive = vi.fn();
/** Answers the call for the message. */
let answer: (response: Response) => void;

listenForShortcuts();

beforeEach(() => {
  archive.mockReset();
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  const pending = new Promise<Response>((resolve) => {
    answer = resolve;
  });
  vi.stubGlobal('fetch', () => pending);
});
afterEach(() => {
  composeRequests.set([]);
  wakeKeys();
  vi.unstubAllGlobals();
});

function List() {
  const answerTo = useAnswers();
  useShortcuts({ r: () => answerTo('7', 'reply'), e: archive });
  return <p>The list</p>;
}

it('lets the keys rest from the press to the window, so that what is typed archives nothing', async () => {
  const { person } = show(<List />);
  await person.keyboard('re');
  answer(Response.json({ success: true, message: '', data: { _id: '7', sender_email: 'bea@x.test' } }));
  await waitFor(() => expect(composeRequests.get()).toHaveLength(1));
  await person.keyboard('e');
  expect(archive).not.toHaveBeenCalled();
});

it('wakes the keys when the message can’t be read', async () => {
  const { person } = show(<List />);
  await person.keyboard('re');
  answer(Response.json({ success: false, message: 'It is gone.' }, { status: 404 }));
  await screen.findByText('It is gone.');
  expect(archive).not.toHaveBeenCalled();
  await person.keyboard('e');
  expect(archive).toHaveBeenCalledOnce();
});

it('takes a reply to all for another request than a reply, before and after its window is there', () => {
  const email = { _id: '9', sender_email: 'bea@x.test' } as EmailDto;
  const isToAllOf = () => composeRequests.get().map((request) => request.kind === 'reply' && request.isToAll);
  openCompose({ kind: 'reply', email, isToAll: false });
  openCompose({ kind: 'reply', email, isToAll: false });
  expect(isToAllOf()).toEqual([false]);
  openCompose({ kind: 'reply', email, isToAll: true });
  expect(isToAllOf()).toEqual([true]);
  openCompose({ kind: 'reply', email, isToAll: true, isToList: true });
  expect(composeRequests.get()).toMatchObject([{ isToList: true }]);
});
