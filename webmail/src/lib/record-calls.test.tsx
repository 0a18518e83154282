import { removeGroup } from '@selvage/core/contracts/groups';
import { restoreRole } from '@selvage/core/contracts/roles';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { actAtOnce, actOnRecord } from './record-calls.ts';
import { storeTokens } from './session.ts';

/** A machine that is busy with other tests is slow, not wrong. */
const patient = { timeout: 30_000 };

beforeEach(() => {
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  window.history.replaceState(null, '', '/dashboard/group/7');
});
afterEach(() => vi.unstubAllGlobals());

it.each([
  ['leads away from the page of a record that is gone', '/dashboard/group/7', 1],
  ['leaves a person alone who has gone to another page meanwhile', '/dashboard/inbox', 0],
])('%s', async (_what, path, times) => {
  const answered = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', () => answered.promise);
  const onDone = vi.fn();
  const tellChanged = () => Promise.resolve();
  const acting = actOnRecord({ call: removeGroup, id: '7', said: 'Deleted', tellChanged, onDone });
  window.history.replaceState(null, '', path);
  answered.resolve(Response.json({ success: true, message: '' }));
  await acting;
  expect(onDone).toHaveBeenCalledTimes(times);
});

it('makes a call that no dialog waits for once while it is under way, and for each record', async () => {
  const answered = Promise.withResolvers<void>();
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url);
    await answered.promise;
    return Response.json({ success: true, message: '' });
  });
  const tellChanged = vi.fn(() => Promise.resolve());
  const press = (id: string) => actAtOnce({ call: restoreRole, id, said: 'Restored', tellChanged });
  for (const id of ['7', '7', '8']) press(id);
  answered.resolve();
  await vi.waitFor(() => expect(tellChanged).toHaveBeenCalledTimes(2), patient);
  expect(asked).toEqual(['7', '8'].map((id) => expect.stringContaining(`/role/restore/${id}`)));
  await vi.waitFor(() => {
    press('7');
    expect(asked).toHaveLength(3);
  }, patient);
});
