import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { requestLogout } from '../../../lib/request-logout.ts';
import { show } from '../../../test/render.tsx';
import { LogoutQuestion } from './LogoutQuestion.tsx';

const logOut = vi.hoisted(() => vi.fn());
vi.mock('../../../lib/log-out.ts', () => ({ logOut }));
vi.mock('./close-messages.ts', () => ({
  unsentOfOwner: () => Promise.resolve(1),
  discardAll: () => Promise.resolve(),
  parkAll: () => Promise.reject(new DOMException('The disk is full.', 'QuotaExceededError')),
}));

it('tells a person whose messages cannot be kept, and does not log them out', async () => {
  const { person } = show(<LogoutQuestion />);
  const leaving = requestLogout();
  const outcome = vi.fn();
  const ended = leaving.then(outcome, outcome);
  await person.click(await screen.findByRole('button', { name: 'Keep on this device' }));
  await screen.findByText(/you are still logged in/);
  await ended;
  expect(outcome).toHaveBeenCalledWith(undefined);
  expect(logOut).not.toHaveBeenCalled();
});
