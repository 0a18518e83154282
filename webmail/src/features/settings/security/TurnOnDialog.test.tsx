import { screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { storeTokens } from '../../../lib/session.ts';
import { show } from '../../../test/render.tsx';
import { TurnOnDialog } from './TurnOnDialog.tsx';

let calls: { path: string; body: object }[] = [];
/** How often the server has forgotten the password when the code comes. */
let timesLate = 0;

// The dialog comes with much of Fluent, which takes its time
beforeAll(() => import('../../../components/dialog/DialogFrame.tsx'), 60_000);
beforeEach(() => {
  calls = [];
  timesLate = 0;
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    if (url.endsWith('/user/info')) return Response.json({ success: true, data: { twoFactorStatus: true } });
    calls.push({ path: url.replace('/api/v1', ''), body: JSON.parse(String(init.body)) });
    if (url.endsWith('/user/verify_otp') && timesLate > 0) {
      timesLate -= 1;
      const refusal = { success: false, code: 'password_first', message: 'Enter your password first.' };
      return Response.json(refusal, { status: 403 });
    }
    const begun = { data: 'data:image/svg+xml;base64,', secret: 'ABCDEFGH' };
    return Response.json({ success: true, message: '', tfa_status: true, ...begun });
  });
});

it('sets up another app while two-factor is on, and shows no recovery codes: those of before stay', async () => {
  const { person } = show(<TurnOnDialog isReplacing onClose={vi.fn()} />);
  await screen.findByText(/^Your current app keeps working until/);
  await person.type(screen.getByLabelText(/^Your password/), 'a long pass phrase');
  await person.click(screen.getByRole('button', { name: 'Next' }));
  await screen.findByText('Scan this code with your app');
  await person.click(screen.getByRole('button', { name: 'Next' }));
  await person.type(await screen.findByLabelText(/^6-digit code/), '123456');
  await screen.findByText('Your new app is set up');
  expect(screen.queryByText(/Keep these codes/)).toBeNull();
  await waitFor(() => expect(calls.map(({ path }) => path)).toEqual(['/user/verify_password', '/user/verify_otp']));
  expect(calls).toMatchObject([{ body: { onoff_status: true } }, { body: { otp: '123456', tfa_status: true } }]);
});

it('begins again with the password when the code comes after ten minutes', async () => {
  timesLate = 1;
  const { person } = show(<TurnOnDialog onClose={vi.fn()} />);
  const goToCode = async () => {
    await person.type(await screen.findByLabelText(/^Your password/), 'a long pass phrase');
    await person.click(screen.getByRole('button', { name: 'Next' }));
    await screen.findByText('Scan this code with your app');
    await person.click(screen.getByRole('button', { name: 'Next' }));
    await person.type(await screen.findByLabelText(/^6-digit code/), '123456');
  };
  await goToCode();
  await screen.findByText(/^That took longer than ten minutes/);
  await goToCode();
  await screen.findByText('Two-factor authentication is on');
});
