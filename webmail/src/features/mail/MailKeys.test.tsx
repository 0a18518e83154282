import { screen, waitFor, within } from '@testing-library/react';
import { useLocation } from 'react-router-dom';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { listenForShortcuts } from '../../hooks/use-shortcuts.ts';
import { storeTokens } from '../../lib/session.ts';
import { show } from '../../test/render.tsx';
import { MailKeys } from './MailKeys.tsx';

/** A person who sees the inbox, what was sent, and no other folder. */
const person = {
  _id: '7',
  permissions: [
    { model: 'inbox', view: true },
    { model: 'sent', view: true },
  ],
};

beforeAll(listenForShortcuts);
beforeEach(() => {
  vi.stubGlobal('fetch', async () => Response.json({ success: true, data: person }));
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: person._id }))}.x`, refreshToken: 'x', expires_in: 900 });
});

function Place() {
  return <p>{useLocation().pathname}</p>;
}

const part = (
  <>
    <MailKeys />
    <Place />
  </>
);

it('leads to folders that the person may open, and to no other', async () => {
  const { person: reader } = show(part, '/dashboard/domains');
  await waitFor(async () => {
    await reader.keyboard('gt');
    screen.getByText('/dashboard/sent');
  });
  await reader.keyboard('gh');
  await reader.keyboard('gi');
  screen.getByText('/dashboard/inbox');
});

it('shows what the keys do by ?, folders that the person may open among them', async () => {
  const { person: reader } = show(part, '/dashboard/domains');
  await reader.keyboard('?');
  const help = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }));
  await help.findByText('Go to Sent');
  help.getByText('Go to Inbox');
  expect(help.queryByText('Go to Trash')).toBeNull();
});
