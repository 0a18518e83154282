import { screen } from '@testing-library/react';
import { beforeAll, expect, it, vi } from 'vitest';
import { storeTokens } from '../../../lib/session.ts';
import { show } from '../../../test/render.tsx';
import { RecoveryEmailSection } from './RecoveryEmailSection.tsx';
import { TurnOffStep } from './TurnOffStep.tsx';

// The dialog comes with much of Fluent, which takes its time
beforeAll(() => import('../../../components/dialog/DialogFrame.tsx'), 60_000);

/** Logs a person in whose new recovery email waits, while this one is in use. */
function logInWaiting(inForce: string | null): void {
  const recovery = { recovery_email: 'new@home.test', recovery_email_confirmed: false };
  logIn({ ...recovery, recovery_email_in_force: inForce, recovery_email_lapsed: false });
}

function logIn(recovery: object): void {
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  const data = { twoFactorStatus: true, ...recovery };
  vi.stubGlobal('fetch', async () => Response.json({ success: true, data }));
}

it('offers a code to the recovery email in use, also while another one waits', async () => {
  logInWaiting('old@home.test');
  show(<TurnOffStep hasLostAccess onDone={vi.fn()} onClose={vi.fn()} />);
  expect(await screen.findByRole('radio', { name: 'A code mailed to old@home.test' })).toBeTruthy();
});

it('says that no code can be mailed where no recovery email is in use', async () => {
  logInWaiting(null);
  show(<TurnOffStep hasLostAccess onDone={vi.fn()} onClose={vi.fn()} />);
  await screen.findByText(/None is in use/);
  expect(screen.queryByRole('radio', { name: /mailed/ })).toBeNull();
});

it('shows in the settings which recovery email is in use until the new one is confirmed', async () => {
  logInWaiting('old@home.test');
  show(<RecoveryEmailSection />);
  await screen.findByText(/Waiting for confirmation: open the link that was mailed to new@home.test/);
  await screen.findByText('Until then, old@home.test stays in use. Remove the recovery email to end that.');
});

it('says in the settings of a confirmed recovery email that it is not used any more, and mails no link to it', async () => {
  const state = { recovery_email_confirmed: false, recovery_email_in_force: null, recovery_email_lapsed: true };
  logIn({ recovery_email: 'old@home.test', ...state });
  show(<RecoveryEmailSection />);
  await screen.findByText(/old@home.test was confirmed, but is not used any more/);
  expect(screen.queryByText(/Waiting for confirmation/)).toBeNull();
  expect(screen.queryByRole('button', { name: 'Send the link again' })).toBeNull();
});
