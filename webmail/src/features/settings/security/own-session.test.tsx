import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import ChangeOwnPassword from '../../../components/password/ChangeOwnPassword.tsx';
import { askBeforeLogout } from '../../../lib/request-logout.ts';
import { storeTokens } from '../../../lib/session.ts';
import { workLostByLogout } from '../../../lib/unsaved-work.ts';
import { show } from '../../../test/render.tsx';
import { SessionSection } from './SessionSection.tsx';

// The dialogs come with much of Fluent, which takes its time
beforeAll(() => import('../../../components/dialog/ConfirmDialog.tsx'), 60_000);

const session = { session_id: '9', device: 'Firefox', device_ip: '192.0.2.1', login_time: '', last_active: '' };
const sent: string[] = [];
const question = vi.fn<() => Promise<boolean>>();
let letGo = (): void => undefined;

beforeEach(() => {
  sent.length = 0;
  question.mockReset();
  letGo = askBeforeLogout(question);
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  vi.stubGlobal('fetch', async (url: string, { method = 'GET' }: RequestInit = {}) => {
    if (method !== 'GET') sent.push(new URL(url, 'http://selvage.test').pathname);
    const data = url.includes('session')
      ? [session]
      : url.includes('pass')
        ? []
        : { email: 'ana@mill.test', session_id: '9' };
    return Response.json({ success: true, message: 'Done', data });
  });
});
afterEach(() => letGo());

it('asks what a logout asks before this session is ended, and not before that is confirmed', async () => {
  question.mockResolvedValueOnce(false).mockResolvedValueOnce(true);
  const { person } = show(<SessionSection />);
  const confirm = async (): Promise<void> => {
    await person.click(await screen.findByRole('button', { name: 'Log out this device' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Log out of this device?' }));
    await person.click(dialog.getByRole('button', { name: 'Log out' }));
  };
  await person.click(await screen.findByRole('button', { name: 'Log out this device' }));
  await person.click(await screen.findByRole('button', { name: 'Cancel' }));
  expect(question).not.toHaveBeenCalled();
  await confirm();
  await waitFor(() => expect(question).toHaveBeenCalledOnce());
  expect(sent).toEqual([]);
  await waitFor(() => expect(screen.queryByText('Log out of this device?')).toBeNull());
  await confirm();
  await waitFor(() => expect(sent).toContain('/api/v1/user/logout'));
});

it('asks what a logout asks before a new password is sent, since the session ends with it', async () => {
  question.mockResolvedValueOnce(false).mockResolvedValueOnce(true);
  const { person } = show(<ChangeOwnPassword onCancel={vi.fn()} />);
  for (const label of [/^Current/, /^New/, /^Confirm/]) {
    await person.type(await screen.findByLabelText(label), label.source.startsWith('^Cur') ? 'Old-pass1' : 'New-pass1');
  }
  const change = screen.getByRole('button', { name: 'Change password' });
  // What is typed in this dialog is no reason to stay
  expect(workLostByLogout()).toEqual([]);
  await person.click(change);
  await waitFor(() => expect(question).toHaveBeenCalledOnce());
  expect(sent).toEqual([]);
  await person.click(change);
  await waitFor(() => expect(sent).toContain('/api/v1/user/change_password'));
});
