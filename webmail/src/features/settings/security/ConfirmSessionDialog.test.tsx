import type { PasskeyDto } from '@selvage/core/contracts/two-factor';
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

const startAuthentication = vi.hoisted(() => vi.fn<(options: object) => Promise<object>>());
vi.mock('@simplewebauthn/browser', () => ({ startAuthentication }));

/** Shows the dialog while a call waits for it, as the app does beside every page. */
function Host() {
  const call = useStore(waitingCall);
  return call && <ConfirmSessionDialog call={call} />;
}

const asked: string[] = [];
let isConfirmed = false;
let passkeys: PasskeyDto[] = [];
let needsPassword = false;

const passkey = { _id: '1', passkey_name: 'My key', createdAt: '2026-11-01T10:00:00.000Z', last_used: null };
const passkeyText = 'Your passkey does not check who uses it. Enter your password too, and use the passkey again.';

const refusal = {
  success: false,
  code: 'confirm_first',
  message: 'Nothing was changed: confirm first that it is you.',
};

// The dialog comes with much of Fluent, which takes its time
beforeAll(() => import('../../../components/dialog/DialogFrame.tsx'), 60_000);
beforeEach(() => {
  asked.length = 0;
  isConfirmed = false;
  passkeys = [];
  needsPassword = false;
  startAuthentication.mockReset().mockResolvedValue({ id: 'key' });
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('PublicKeyCredential', vi.fn());
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    if (url.endsWith('/user/info')) return Response.json({ success: true, data: { twoFactorStatus: true } });
    if (url.endsWith('/user/passkeys')) return Response.json({ success: true, data: passkeys });
    if (url.endsWith('/confirm_options')) return Response.json({ success: true, data: { challenge: 'x' } });
    asked.push(`${url.replace('/api/v1', '')} ${String(init.body ?? '')}`.trim());
    if (url.endsWith('/user/confirm')) {
      if (needsPassword && !String(init.body).includes('"password"')) {
        const refused = { success: false, code: 'invalid', message: passkeyText, errors: { password: passkeyText } };
        return Response.json(refused, { status: 422 });
      }
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

const confirmations = () => asked.filter((call) => call.startsWith('/user/confirm'));

it('takes a passkey in place of the password and the code', async () => {
  passkeys = [passkey];
  const { person } = show(<Host />);
  const done = act('5');
  await person.click(await screen.findByRole('button', { name: 'Use a passkey' }));
  expect(screen.queryByLabelText(/^Your password/)).toBeNull();
  startAuthentication.mockRejectedValueOnce(new DOMException('The operation timed out', 'NotAllowedError'));
  await person.click(screen.getByRole('button', { name: 'Use passkey' }));
  await screen.findByText('The passkey was not used. Try again or choose another way.');
  await person.click(screen.getByRole('button', { name: 'Use passkey' }));
  await done;
  expect(startAuthentication).toHaveBeenCalledWith({ optionsJSON: { challenge: 'x' } });
  expect(confirmations()).toEqual(['/user/confirm {"response":{"id":"key"}}']);
});

it('asks for the password too when the passkey does not check the person', async () => {
  passkeys = [passkey];
  needsPassword = true;
  const { person } = show(<Host />);
  const done = act('5');
  await person.click(await screen.findByRole('button', { name: 'Use a passkey' }));
  await person.click(screen.getByRole('button', { name: 'Use passkey' }));
  await screen.findByText(passkeyText);
  await person.click(screen.getByRole('button', { name: 'Use passkey' }));
  expect(confirmations()).toHaveLength(1);
  await person.type(screen.getByLabelText(/^Your password/), 'a long pass phrase');
  await person.click(screen.getByRole('button', { name: 'Use passkey' }));
  await done;
  expect(confirmations()[1]).toContain('"response":{"id":"key"}');
});

it('speaks of no passkey to a person without one, or where the browser knows none', async () => {
  const first = show(<Host />);
  const refused = refusalOf(act('5'));
  await screen.findByLabelText(/^Code from your app/);
  await waitFor(() => expect(first.client.isFetching()).toBe(0));
  expect(screen.queryByRole('button', { name: 'Use a passkey' })).toBeNull();
  await first.person.click(screen.getByRole('button', { name: 'Cancel' }));
  await refused;
  first.unmount();
  passkeys = [passkey];
  vi.stubGlobal('isSecureContext', false);
  const second = show(<Host />);
  const again = refusalOf(act('5'));
  await waitFor(() => expect(second.client.getQueryData(['account', 'passkeys'])).toHaveLength(1));
  expect(screen.queryByRole('button', { name: 'Use a passkey' })).toBeNull();
  await second.person.click(screen.getByRole('button', { name: 'Cancel' }));
  await again;
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
