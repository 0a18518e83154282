import type { EmailDto } from '@selvage/core/contracts/email';
import { useQuery } from '@tanstack/react-query';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { storeTokens } from '../../lib/session.ts';
import { pending, show } from '../../test/render.tsx';
import { Conversation } from './Conversation.tsx';
import { wholeConversationQuery } from './queries.ts';

vi.mock('./ThreadMessage.tsx', () => ({
  ThreadMessage: ({ item }: { item: { _id: string } }) => (
    <div role="article" aria-label={item._id} data-message={item._id} tabIndex={-1} />
  ),
}));

const email = {
  _id: '5',
  createdAt: '2026-11-21T12:00:00.000Z',
  read_status: true,
  replies: [],
  twins: [],
  earlier_replies: 2,
};

function State() {
  return <p>{useQuery({ ...wholeConversationQuery(email._id), enabled: false }).status}</p>;
}

afterEach(() => vi.unstubAllGlobals());

it('says when the earlier messages can’t be read, each time that they are asked for', async () => {
  let failure = 'The looms stand still.';
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  vi.stubGlobal('fetch', async () => {
    if (failure) return Response.json({ success: false, message: failure }, { status: 404 });
    return Response.json({ success: true, message: '', data: { ...email, earlier_replies: 0 } });
  });
  const { person, client } = show(
    <>
      <Conversation email={email as unknown as EmailDto} canCompose={false} />
      <State />
    </>,
  );
  const button = () => screen.findByRole('button', { name: 'Show 2 earlier messages' });
  await person.click(await button());
  await screen.findByText(failure);
  failure = 'The looms are broken.';
  await person.click(await button());
  await screen.findByText(failure);
  failure = '';
  await person.click(await button());
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Show 2 earlier messages' })).toBeNull());
  // They stay and are kept up to date, also when a later load fails
  const { queryKey } = wholeConversationQuery(email._id);
  failure = 'The looms are gone.';
  void client.invalidateQueries({ queryKey });
  await screen.findByText('error');
  failure = '';
  void client.invalidateQueries({ queryKey });
  await screen.findByText('success');
});

it('moves the focus from the button that leaves to the first of the earlier messages', async () => {
  const second = { ...email, _id: '2', createdAt: '2026-11-20T12:00:00.000Z' };
  const first = { ...email, _id: '1', createdAt: '2026-11-19T12:00:00.000Z' };
  const answer = pending<Response>();
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  vi.stubGlobal('fetch', () => answer.promise);
  const { person } = show(<Conversation email={email as unknown as EmailDto} canCompose={false} />);
  const button = screen.getByRole('button', { name: 'Show 2 earlier messages' });
  button.focus();
  await person.keyboard('{Enter}');
  expect(document.activeElement).toBe(button);
  const data = { ...email, earlier_replies: 0, replies: [second, first] };
  answer.resolve(Response.json({ success: true, message: '', data }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('article', { name: '1' })));
});

it('moves the focus from a message that leaves to the one in its place', () => {
  const first = { ...email, _id: '1', createdAt: '2026-11-19T12:00:00.000Z' };
  const second = { ...email, _id: '2', createdAt: '2026-11-20T12:00:00.000Z' };
  function Open() {
    const [replies, setReplies] = useState([first, second]);
    const shown = { ...email, earlier_replies: 0, replies };
    return (
      <>
        <button onClick={() => setReplies([second])}>Leave</button>
        <Conversation email={shown as unknown as EmailDto} canCompose={false} />
      </>
    );
  }
  show(<Open />);
  screen.getByRole('article', { name: '1' }).focus();
  fireEvent.click(screen.getByText('Leave'));
  expect(document.activeElement).toBe(screen.getByRole('article', { name: '2' }));
});
