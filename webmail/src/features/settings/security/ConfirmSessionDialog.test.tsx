import { turnOffUserTwoFactor } from '@selvage/core/contracts/users';
import { useStore } from '@nanostores/react';
import { screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { api } from '../../../lib/api.ts';
import { messageOf } from '../../../lib/api-error.ts';
import { waitingCall } from '../../../lib/confirm-first.ts';
import { endSession, storeTokens } from '../../../lib/session.ts';
import { show } from '../../../test/render.tsx';
import ConfirmSessionDialog from './ConfirmSessionDialog.tsx';

/** Shows the dialog while a call waits for it, as the app does beside every page. */
function Host() {
  const call = useStore(waitingCall);
  return call && <ConfirmSessionDialog call={call} />;
}

const asked: string[] = [];
let isConfirmed = false;

const refusal = {
  success: false,
  code: 'confirm_first',
  message: 'Nothing was changed: confirm first that it is you.',
};

// the dialog comes with much of Fluent, which takes its time
beforeAll(() => import('../../../components/dialog/DialogFrame.tsx'), 60_000);
beforeEach(() => {
  asked.length = 0;
  isConfirmed = false;
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    if (url.endsWith('/user/info')) return Response.json({ success: true, data: { twoFactorStatus: true } });
    asked.push(`${url.replace('/api/v1', '')} ${String(init.body ?? '')}`.trim());
    if (url.endsWith('/user/confirm')) {
      isConfirmed = true;
      return Response.json({ success: true, data: { confirmed_until: new Date().toISOString() } });
    }
    return isConfirmed ? Response.json({ success: true, message: '' }) : Response.json(refusal, { status: 403 });
  });
});

const act = (id: string) => api(turnOffUserTwoFactor, { params: { id } });

/** What the person is told when the call is not made in the end. */
async function refusalOf(call: Promise<unknown>): Promise<string> {
  return await call.then(String, messageOf);
}

async function fillIn({ person }: ReturnType<typeof show>): Promise<void> {
  await person.type(await screen.findByLabelText(/^Your password/), 'a long pass phrase');
  await person.type(await screen.findByLabelText(/^Code from your app/), '123456');
  await person.click(screen.getByRole('button', { name: 'Confirm' }));
}

it('makes the call again once the person has confirmed that it is them', async () => {
  const shown = show(<Host />);
  const [first, second] = [act('5'), act('6')];
  await fillIn(shown);
  await Promise.all([first, second]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(asked.filter((call) => call.startsWith('/user/confirm'))).toEqual([expect.stringContaining('"otp":"123456"')]);
  expect(asked.slice(-2).toSorted()).toEqual(['/user/two_factor/off/5', '/user/two_factor/off/6']);
});

it('makes no call again when the person would rather not', async () => {
  const { person } = show(<Host />);
  const refused = refusalOf(act('5'));
  await person.click(await screen.findByRole('button', { name: 'Cancel' }));
  expect(await refused).toBe(refusal.message);
  expect(asked).toEqual(['/user/two_factor/off/5']);
});

it('goes away with the session', async () => {
  show(<Host />);
  const refused = refusalOf(act('5'));
  await screen.findByRole('dialog');
  endSession();
  expect(await refused).toBe(refusal.message);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(asked).toEqual(['/user/two_factor/off/5']);
});
