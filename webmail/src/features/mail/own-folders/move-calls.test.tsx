import { beforeEach, expect, it, vi } from 'vitest';
import { storeTokens } from '../../../lib/session.ts';
import { moveBack } from './move-calls.ts';

let bodies: { folder_id: string | null; email_id: string[] }[] = [];

beforeEach(() => {
  bodies = [];
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit = {}) => {
    const body = JSON.parse(String(init.body));
    bodies.push(body);
    if (body.folder_id === 'deleted') {
      const answer = { success: false, code: 'not_found', message: 'This folder does not exist any more.' };
      return Response.json(answer, { status: 404 });
    }
    return Response.json({ success: true, data: { changed: 1, touched: [], is_left: false } });
  });
});

it('moves the other messages back when one of their folders was deleted meanwhile, and says so', async () => {
  const flags = { archive_status: false, junk_status: false, trash_status: false };
  const moved = ['deleted', '5', null].map((folder_id, index) => ({
    from: { folder_id, ...flags },
    email_ids: [String(index)],
  }));
  await expect(moveBack(moved, '7')).rejects.toThrow('This folder does not exist any more.');
  expect(bodies.map(({ folder_id, email_id }) => [folder_id, email_id])).toEqual([
    ['deleted', ['0']],
    ['5', ['1']],
    [null, ['2']],
  ]);
});
