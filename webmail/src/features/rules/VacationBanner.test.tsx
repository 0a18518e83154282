import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { storeTokens } from '../../lib/session.ts';
import { show } from '../../test/render.tsx';
import VacationBanner from './VacationBanner.tsx';

const person = {
  _id: '7',
  email: 'ana@weavers.test',
  company_id: { is_provider: false },
  role_id: { role_id: 5 },
  permissions: [{ model: 'accountsettings', view: true, create: true, edit: true, delete: true }],
};

afterEach(() => vi.unstubAllGlobals());

it('leaves the focus on the heading of the page when it has been turned off', async () => {
  let vacation = { is_on: true, subject: '', body: 'Away', first_day: null, last_day: null, state: 'active' };
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  vi.stubGlobal('fetch', async (url: string) => {
    if (url.endsWith('/off')) vacation = { ...vacation, is_on: false, state: 'off' };
    return Response.json({ success: true, message: '', data: url.endsWith('/user/info') ? person : vacation });
  });
  const shown = show(
    <main>
      <VacationBanner />
      <h1 tabIndex={-1}>Inbox</h1>
    </main>,
  );
  const button = await screen.findByRole('button', { name: 'Turn off' });
  button.focus();
  await shown.person.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Vacation reply' })).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Inbox' }));
});
