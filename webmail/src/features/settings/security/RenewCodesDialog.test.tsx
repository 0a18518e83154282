import { screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { storeTokens } from '../../../lib/session.ts';
import { show } from '../../../test/render.tsx';
import { RenewCodesDialog } from './RenewCodesDialog.tsx';

let bodies: object[] = [];

// The dialog comes with much of Fluent, which takes its time
beforeAll(() => import('../../../components/dialog/DialogFrame.tsx'), 60_000);
beforeEach(() => {
  bodies = [];
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit = {}) => {
    bodies.push(JSON.parse(String(init.body)));
    const errors = { otp: 'Invalid OTP. Please try again.' };
    return Response.json({ success: false, code: 'invalid', message: errors.otp, errors }, { status: 422 });
  });
});

it('asks for a code of the app or a recovery code beside the password, and says there when it is wrong', async () => {
  const { person } = show(<RenewCodesDialog onClose={vi.fn()} />);
  const code = await screen.findByLabelText(/^Code from your app/);
  await person.type(screen.getByLabelText(/^Your password/), 'a long pass phrase');
  const submit = screen.getByRole('button', { name: 'Make new codes' });
  await person.click(submit);
  await screen.findByText('Please enter a code from your app, or a recovery code.');
  expect(bodies).toEqual([]);
  await person.type(code, '123456');
  await person.click(submit);
  await screen.findByText('Invalid OTP. Please try again.');
  await person.clear(code);
  await person.type(code, 'abcd-efgh-jk');
  await person.click(submit);
  await waitFor(() => expect(bodies).toHaveLength(2));
  expect(bodies).toMatchObject([{ otp: '123456' }, { recovery_code: 'abcd-efgh-jk' }]);
});
