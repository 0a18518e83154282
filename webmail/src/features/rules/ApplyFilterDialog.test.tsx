import type { FilterDto } from '@selvage/core/contracts/mail-rules';
import { screen, waitFor } from '@testing-library/react';
import { beforeAll, expect, it, vi } from 'vitest';
import { noteChange } from '../../hooks/use-action.ts';
import { storeTokens } from '../../lib/session.ts';
import { pending, show } from '../../test/render.tsx';
import { findFitting } from './apply-filter.ts';
import { ApplyFilterDialog } from './ApplyFilterDialog.tsx';

// The first dialog loads its frame
beforeAll(() => import('../../components/dialog/DialogFrame.tsx'), 60_000);

const filter: FilterDto = {
  _id: '5',
  name: 'Invoices',
  is_on: true,
  conditions: { subject: 'invoice' },
  actions: { move_to: 'trash' },
  version: 3,
};

it('counts and changes the messages of the inbox once the server has what the person did before', async () => {
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  const asked = vi.fn();
  vi.stubGlobal('fetch', async (url: string) => {
    asked(url);
    return Response.json({ success: true, message: '', data: { until: '9', fitting: 1, changed: 1, is_left: false } });
  });
  // As of messages that are archived on the screen, and still in the inbox of the server
  const [first, second] = [pending<void>(), pending<void>()];
  void noteChange(first.promise);
  const finding = findFitting(filter);
  await new Promise((resolve) => setTimeout(resolve));
  expect(asked).not.toHaveBeenCalled();
  first.resolve();
  const fitting = { filter, until: '9', count: 1, isMore: false };
  expect(await finding).toEqual(fitting);
  asked.mockClear();
  void noteChange(second.promise);
  const onClose = vi.fn();
  const { person } = show(<ApplyFilterDialog fitting={fitting} onClose={onClose} />);
  await person.click(await screen.findByRole('button', { name: 'Apply' }));
  await screen.findByRole('button', { name: 'Stop' });
  expect(asked).not.toHaveBeenCalled();
  second.resolve();
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(asked).toHaveBeenCalledOnce();
});
