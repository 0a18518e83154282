import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { noteAnswer } from '../../../lib/connection.ts';
import { storeTokens } from '../../../lib/session.ts';
import { discardAll, discardUnsent } from './close-messages.ts';
import type { Composition } from './composition.ts';
import type { KeptMessage } from './kept-messages.ts';
import { startComposition } from './start-composition.ts';
import { messages } from './windows.ts';

const writer = {
  email: 'ana@a.test',
  aliases: [],
  signature_new_emails_use: null,
  signature_reply_forward_emails_use: null,
};

/** What the browser keeps. The simulated browser has no database. */
const kept = vi.hoisted(() => new Map<string, KeptMessage>());
vi.mock('./kept-messages.ts', () => ({
  listKept: async () => [...kept.values()],
  takeKept: async ({ id }: Composition) => kept.get(id) ?? null,
  keepMessage: async () => 'kept',
  forgetKept: async ({ id }: Composition) => void kept.delete(id),
  readFiles: async () => new Map(),
}));

/** The bodies of the calls that delete drafts. */
let removals: unknown[];
let removal: { status: number; body: object };

beforeEach(() => {
  messages.set([]);
  kept.clear();
  noteAnswer(200);
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: '7', expires_in: 900 });
  removals = [];
  removal = { status: 200, body: { success: true, message: '', data: { removed: 1 } } };
  vi.stubGlobal('fetch', (_url: string, { body }: { body: string }) => {
    removals.push(JSON.parse(body));
    return Promise.resolve(Response.json(removal.body, { status: removal.status }));
  });
});
afterEach(() => vi.unstubAllGlobals());

/** A message that a page had saved as the draft 700 before it was reloaded. */
function keep(): Composition {
  const begun = startComposition({ kind: 'new' }, '7', writer);
  const origin = { kind: 'draft', draftId: '700', files: [], isRead: true, version: 3, begunAs: 'new' } as const;
  const composition: Composition = { ...begun, origin, subject: 'Looms', isTextChanged: true };
  kept.set(composition.id, { composition, holder: 'a page before', keptAt: Date.now(), isParked: false });
  return composition;
}

const asRead = { draft_ids: ['700'], versions: { 700: 3 } };

describe('an unsent message that is discarded unopened', () => {
  it('is gone from Drafts as well', async () => {
    await discardUnsent(keep());
    expect(removals).toEqual([asRead]);
    expect(kept.size).toBe(0);
  });

  it('opens when another device has changed its draft, and asks which of the two stays', async () => {
    removal = { status: 409, body: { success: false, code: 'changed_meanwhile', message: 'Changed.' } };
    const { id } = keep();
    await discardUnsent({ owner: '7', id });
    expect(messages.get().map(({ composition, isShown }) => [composition.get().id, isShown])).toEqual([[id, true]]);
    expect(messages.get()[0]?.saver.state.get()).toBe('changed');
    expect(kept.size).toBe(1);
  });

  it('stays while its draft can not be deleted', async () => {
    removal = { status: 503, body: { success: false, code: 'unavailable', message: 'Try again.' } };
    await discardUnsent(keep());
    expect(kept.size).toBe(1);
    expect(messages.get()).toEqual([]);
  });

  it('leaves this device at a logout in any case', async () => {
    removal = { status: 409, body: { success: false, code: 'changed_meanwhile', message: 'Changed.' } };
    keep();
    await discardAll();
    expect(removals).toEqual([asRead]);
    expect(kept.size).toBe(0);
    expect(messages.get()).toEqual([]);
  });
});
