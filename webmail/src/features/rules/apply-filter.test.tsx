import type { FilterDto } from '@selvage/core/contracts/mail-rules';
import { afterEach, expect, it, vi } from 'vitest';
import { noteChange } from '../../hooks/use-action.ts';
import { storeTokens } from '../../lib/session.ts';
import { pending } from '../../test/render.tsx';
import { applyPart, findFitting } from './apply-filter.ts';

afterEach(() => vi.unstubAllGlobals());

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
  // As of a message that is archived on the screen, and still in the inbox of the server
  const archived = [pending<void>(), pending<void>()] as const;
  void noteChange(archived[0].promise);
  const finding = findFitting(filter);
  await new Promise((resolve) => setTimeout(resolve));
  expect(asked).not.toHaveBeenCalled();
  archived[0].resolve();
  const fitting = await finding;
  expect(fitting).toEqual({ filter, until: '9', count: 1, isMore: false });
  if (!fitting) return;
  asked.mockClear();
  void noteChange(archived[1].promise);
  const applying = applyPart(fitting, { changed: 0, until: '9' }, '7');
  await new Promise((resolve) => setTimeout(resolve));
  expect(asked).not.toHaveBeenCalled();
  archived[1].resolve();
  expect(await applying).toEqual({ changed: 1, until: null });
});
