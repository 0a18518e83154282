import type { EmailDto } from '@selvage/core/contracts/email';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { useCurrentUser } from '../../lib/current-user.ts';
import { storeTokens } from '../../lib/session.ts';
import { serveList } from '../../test/list-server.ts';
import { show } from '../../test/render.tsx';
import { wholeConversationQuery } from './queries.ts';
import { useAlone } from './use-alone.ts';

const person = { _id: '7', permissions: ['inbox', 'trash'].map((model) => ({ model, view: true, edit: true })) };

function item(id: number, flags: object = {}): EmailDto['replies'][number] {
  const _id = String(id);
  const createdAt = `2026-11-21T12:0${id}:00.000Z`;
  return { _id, createdAt, received_status: true, send_status: false, ...flags } as EmailDto['replies'][number];
}

const sent = { received_status: false, send_status: true };
const email = { ...item(5), replies: [item(4, sent), item(3)] } as unknown as EmailDto;
const earlier = item(2);

function Open() {
  const isKnown = useCurrentUser() !== undefined;
  const { markUnread } = useAlone(email, { back: vi.fn(), showRest: vi.fn() });
  return isKnown && <button onClick={() => markUnread(earlier)}>Unread</button>;
}

let changes: { email_id: string[]; read_status: boolean }[];
beforeEach(() => {
  changes = [];
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: person._id }))}.x`, refreshToken: 'x', expires_in: 900 });
  serveList(() => []);
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    if (url.endsWith('/user/info')) return Response.json({ success: true, data: person });
    changes.push(JSON.parse(String(init.body)));
    return Response.json({ success: true, message: '', data: {} });
  });
});

async function markUnread(replies: EmailDto['replies']): Promise<void> {
  const { person: reader, client } = show(<Open />);
  client.setQueryData(wholeConversationQuery(email._id).queryKey, { ...email, replies });
  await reader.click(await screen.findByText('Unread'));
}

it('marks one of the earlier messages of a long conversation unread with all that came behind it', async () => {
  await markUnread([...email.replies, earlier, item(1)]);
  await waitFor(() => expect(changes).toEqual([{ email_id: ['5', '3', '2'], read_status: false }]));
});

it('leaves alone what lies in the trash, which no list of unread mail should show again', async () => {
  await markUnread([...email.replies, item(4, { trash_status: true }), earlier]);
  await waitFor(() => expect(changes).toEqual([{ email_id: ['5', '3', '2'], read_status: false }]));
});

it('marks more messages unread than the server takes in one call', async () => {
  const { createdAt } = item(4);
  await markUnread([...Array.from({ length: 499 }, (_, index) => ({ ...item(100 + index), createdAt })), earlier]);
  await waitFor(() => expect(changes).toHaveLength(2));
  expect(changes.map(({ email_id }) => email_id.length)).toEqual([500, 1]);
  expect(changes[1]?.email_id).toEqual(['2']);
});
