import { useQuery } from '@tanstack/react-query';
import { waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { storeTokens } from '../../lib/session.ts';
import { show } from '../../test/render.tsx';
import { useLive } from './use-live.ts';

type Listener = (...items: unknown[]) => void;

/** The socket of the library, of which the test plays the server. */
const socket = vi.hoisted(() => {
  const listeners = new Map<string, Listener>();
  const tell = (event: string, ...items: unknown[]): void => listeners.get(event)?.(...items);
  const made = {
    active: true,
    on: (event: string, listener: Listener) => listeners.set(event, listener),
    off: () => made,
    emit: (_event: string, _email: string, answer: () => void) => answer(),
    connect: () => tell('connect'),
    disconnect: () => made,
  };
  return { made, tell, listeners };
});
vi.mock('socket.io-client', () => ({ io: () => socket.made }));

const keys = {
  inbox: ['mail', 'list', 'inbox', { page: 1 }],
  drafts: ['mail', 'list', 'draft', { page: 1 }],
  found: ['mail', 'list', 'search', { q: 'wool' }],
  totals: ['mail', 'totals'],
  message: ['mail', 'detail', '1'],
} as const;
type Name = keyof typeof keys;
const names = Object.keys(keys) as Name[];

/** How often each kind of data was loaded. */
const loads: Record<Name, number> = { inbox: 0, drafts: 0, found: 0, totals: 0, message: 0 };

function Loaded({ name }: { name: Name }) {
  useQuery({ queryKey: keys[name], queryFn: () => (loads[name] += 1) });
  return null;
}

function Page() {
  useLive();
  return names.map((name) => <Loaded key={name} name={name} />);
}

it('loads no list and no open message anew because a draft was saved', async () => {
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: '7', expires_in: 900 });
  const person = { _id: '7', email: 'ana@mill.test', permissions: [] };
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ success: true, data: person })));
  show(<Page />);
  await waitFor(() => expect(socket.listeners.has('mailbox_changed')).toBe(true));
  await waitFor(() => expect(loads).toEqual({ inbox: 1, drafts: 1, found: 1, totals: 1, message: 1 }));
  socket.tell('mailbox_changed', { folders: ['draft'] });
  await waitFor(() => expect(loads).toEqual({ inbox: 1, drafts: 2, found: 2, totals: 2, message: 1 }));
  // Another change that comes at once is not lost behind it
  socket.tell('mailbox_changed', { folders: ['inbox', 'draft'] });
  socket.tell('mailbox_changed', { folders: ['draft'] });
  await waitFor(() => expect(loads).toEqual({ inbox: 2, drafts: 3, found: 3, totals: 3, message: 2 }));
});
