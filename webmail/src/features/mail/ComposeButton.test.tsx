import { screen, waitFor } from '@testing-library/react';
import type { ComponentType } from 'react';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { listenForShortcuts } from '../../hooks/use-shortcuts.ts';
import { storeTokens } from '../../lib/session.ts';
import { serveList } from '../../test/list-server.ts';
import { show } from '../../test/render.tsx';
import { composeRequests, wakeKeys } from './compose/compose-store.ts';
import DraftsPage from './DraftsPage.tsx';
import FolderPage from './FolderPage.tsx';
import ScheduledPage from './scheduled/ScheduledPage.tsx';
import SearchPage from './search/SearchPage.tsx';

const all = { view: true, edit: true, delete: true };
const models = ['inbox', 'sent', 'draft'];
let maySend = true;

beforeAll(listenForShortcuts);
beforeEach(() => {
  maySend = true;
  composeRequests.set([]);
  wakeKeys();
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  serveList(() => []);
  const answerList = fetch;
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const permissions = models.map((model) => ({ model, ...all, create: maySend }));
    if (url.endsWith('/user/info')) return Response.json({ success: true, data: { _id: '7', permissions } });
    return await answerList(url, init);
  });
});

const pages: [path: string, Page: ComponentType][] = [
  ['/dashboard/inbox', FolderPage],
  ['/dashboard/scheduled', ScheduledPage],
  ['/dashboard/search', SearchPage],
];

describe.each(pages)('%s', (path, Page) => {
  it('begins a message by button and by key', async () => {
    const { person } = show(<Page />, path);
    await person.click(await screen.findByRole('button', { name: 'Compose Email' }));
    expect(composeRequests.get()).toEqual([{ kind: 'new' }]);
    composeRequests.set([]);
    wakeKeys();
    await person.keyboard('c');
    expect(composeRequests.get()).toEqual([{ kind: 'new' }]);
  });

  it('offers nothing to people who may not send', async () => {
    maySend = false;
    const { person, client } = show(<Page />, path);
    await waitFor(() => expect(client.isFetching()).toBe(0));
    await person.keyboard('c');
    expect(screen.queryByRole('button', { name: 'Compose Email' })).toBeNull();
    expect(composeRequests.get()).toEqual([]);
  });
});

it('is not beside drafts, where the key still begins a message', async () => {
  const { person, client } = show(<DraftsPage />, '/dashboard/draft');
  await waitFor(() => expect(client.isFetching()).toBe(0));
  expect(screen.queryByRole('button', { name: 'Compose Email' })).toBeNull();
  await person.keyboard('c');
  expect(composeRequests.get()).toEqual([{ kind: 'new' }]);
});
