import { waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { listenForShortcuts, useShortcuts } from '../../../hooks/use-shortcuts.ts';
import { storeTokens } from '../../../lib/session.ts';
import { show } from '../../../test/render.tsx';
import { openSavedDraft } from './unsent.ts';
import { messages } from './windows.ts';

const archive = vi.fn();
/** Fails the call for the draft. */
let fail: () => void;

listenForShortcuts();

beforeEach(() => {
  archive.mockReset();
  messages.set([]);
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  const pending = new Promise<Response>((resolve) => {
    fail = () => resolve(Response.json({ success: false, message: 'Not now.' }, { status: 500 }));
  });
  vi.stubGlobal('fetch', () => pending);
});
afterEach(() => vi.unstubAllGlobals());

function List() {
  useShortcuts({ e: archive });
  return <p>The list</p>;
}

it('lets the keys of the list rest until the window of a draft is there, or can’t be', async () => {
  const { person } = show(<List />);
  const opened = openSavedDraft({ _id: '1', subject: 'Looms' });
  await waitFor(() => expect(messages.get()).toHaveLength(1));
  await person.keyboard('e');
  expect(archive).not.toHaveBeenCalled();
  fail();
  await opened;
  await person.keyboard('e');
  expect(archive).toHaveBeenCalledOnce();
});
