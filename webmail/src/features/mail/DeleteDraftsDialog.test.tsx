import { screen } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { storeTokens } from '../../lib/session.ts';
import { show } from '../../test/render.tsx';
import { DeleteDraftsDialog } from './DeleteDraftsDialog.tsx';

const asked: unknown[] = [];
const changed = { success: false, message: 'This draft was changed in another window meanwhile.', code: 'x' };
const close = vi.fn();

// The dialog comes with much of Fluent, which takes its time
beforeAll(() => import('../../components/dialog/DialogFrame.tsx'), 60_000);
beforeEach(() => {
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  vi.stubGlobal('fetch', async (_url: string, { body }: RequestInit) => {
    asked.push(JSON.parse(String(body)));
    return Response.json(changed, { status: 409 });
  });
});

it('names the versions that the rows have shown, and reads the rows again where one has changed', async () => {
  const { person, client } = show(
    <DeleteDraftsDialog
      drafts={[
        { id: '700', version: 3 },
        { id: '701', version: 1 },
      ]}
      onClose={close}
    />,
  );
  client.setQueryData(['mail', 'rows'], []);
  await person.click(await screen.findByRole('button', { name: 'Delete' }));
  await screen.findByText(changed.message);
  expect(asked).toEqual([{ draft_ids: ['700', '701'], versions: { 700: 3, 701: 1 } }]);
  expect(client.getQueryState(['mail', 'rows'])?.isInvalidated).toBe(true);
  expect(close).not.toHaveBeenCalled();
});
