import { beforeEach, describe, expect, it, vi } from 'vitest';
import { displayNotices } from '../../../components/feedback/notify.ts';
import { currentUserKey, queryClient } from '../../../lib/query-client.ts';
import { storeTokens } from '../../../lib/session.ts';
import { cancelScheduled, sendNow } from './scheduled-actions.ts';

/** How the server refuses messages, by their ids; it does what is asked to the others. */
const refusals: Record<string, { status: number; code: string }> = {};
const leaving = { status: 409, code: 'too_late_to_undo' };
const gone = { status: 404, code: 'message_not_found' };

let asked: string[];
let said: string[];

beforeEach(() => {
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  for (const id of Object.keys(refusals)) delete refusals[id];
  [asked, said] = [[], []];
  displayNotices(({ text }) => said.push(text));
  vi.stubGlobal('fetch', async (url: string) => {
    const id = /\/mail\/\w+\/(\d+)/.exec(url)?.[1] ?? '';
    asked.push(id);
    const { status, code } = refusals[id] ?? { status: 200, code: '' };
    return Response.json({ success: status === 200, message: `refused ${id}`, code, data: {} }, { status });
  });
});

const scheduled = (...ids: string[]) => ids.map((_id) => ({ _id, subject: '', send_at: '2030-01-01T08:00:00.000Z' }));

describe('cancelling several messages', () => {
  it.each([leaving, gone])('goes on after one that has left, which answers $code', async (refusal) => {
    refusals['2'] = refusal;
    expect(await cancelScheduled(scheduled('1', '2', '3'))).toBe(true);
    expect(asked).toEqual(['1', '2', '3']);
    expect(said).toEqual(['1 message had left already, or was changed elsewhere.', '2 messages saved in Drafts.']);
  });

  it('goes on after one that fails, and throws its failure', async () => {
    refusals['1'] = { status: 403, code: 'forbidden' };
    await expect(cancelScheduled(scheduled('1', '2'))).rejects.toThrow('refused 1');
    expect(asked).toEqual(['1', '2']);
    expect(said).toEqual(['Saved in Drafts.']);
  });

  it('speaks of no drafts to a person who may not open them', async () => {
    const all = { view: true, create: true, edit: true, delete: true };
    queryClient.setQueryData(currentUserKey, { _id: '7', permissions: [{ model: 'sent', ...all }] });
    await cancelScheduled(scheduled('1'));
    await cancelScheduled(scheduled('1', '2'));
    expect(said).toEqual(['The message will not be sent.', '2 messages will not be sent.']);
    queryClient.removeQueries({ queryKey: currentUserKey });
  });

  it('says when none could be cancelled', async () => {
    refusals['1'] = leaving;
    expect(await cancelScheduled(scheduled('1'))).toBe(false);
    expect(said).toEqual(['1 message had left already, or was changed elsewhere.']);
  });
});

it.each([leaving, gone])('sending goes on after a message that has left, which answers $code', async (refusal) => {
  refusals['1'] = refusal;
  await sendNow(scheduled('1', '2'));
  expect(asked).toEqual(['1', '2']);
  expect(said).toEqual(['1 message had left already, or was changed elsewhere.', 'Message sent']);
});
