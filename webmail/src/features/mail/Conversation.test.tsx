import type { EmailDto } from '@selvage/core/contracts/email';
import { useQuery } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { storeTokens } from '../../lib/session.ts';
import { show } from '../../test/render.tsx';
import { Conversation } from './Conversation.tsx';
import { wholeConversationQuery } from './queries.ts';

vi.mock('./ThreadMessage.tsx', () => ({ ThreadMessage: () => null }));

const email = { _id: '5', createdAt: '2026-11-21T12:00:00.000Z', read_status: true, replies: [], earlier_replies: 2 };

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
