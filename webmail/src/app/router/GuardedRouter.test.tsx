import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Link, useLocation } from 'react-router-dom';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import '../../test/render.tsx';
import { requestLogout } from '../../lib/request-logout.ts';
import { addUnsavedWork, warnBeforeUnload } from '../../lib/unsaved-work.ts';
import { GuardedRouter } from './GuardedRouter.tsx';

const logOut = vi.hoisted(() => vi.fn(() => Promise.resolve()));
vi.mock('../../lib/log-out.ts', () => ({ logOut }));

const cleanups: (() => void)[] = [];

function Here() {
  return <output>{useLocation().pathname}</output>;
}

const place = () => document.querySelector('output')?.textContent;
const question = () => screen.findByRole('alertdialog', { name: 'Leave without saving?' });
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

function type(name: string, kind: { survivesNavigation?: boolean; isAskedAboutElsewhere?: boolean } = {}): void {
  cleanups.push(addUnsavedWork({ name, survivesNavigation: false, ...kind }));
}

// The dialog comes with much of Fluent, which takes its time
beforeAll(() => import('./LeaveDialog.tsx'), 60_000);
beforeEach(async () => {
  vi.clearAllMocks();
  window.history.pushState(null, '', '/first');
  render(
    <GuardedRouter>
      <Here />
      <Link to="/form">Form</Link>
      <Link to="/other">Other</Link>
      <Link to="/form?page=2&limit=5">Page 2</Link>
      <Link to="/form?tab=other">Tab</Link>
    </GuardedRouter>,
  );
  await userEvent.click(screen.getByText('Form'));
});
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean();
  cleanup();
});

describe('a navigation', () => {
  it('goes on at once when nothing is unsaved, or when it loses nothing', async () => {
    type('the draft', { survivesNavigation: true });
    await userEvent.click(screen.getByText('Other'));
    expect(place()).toBe('/other');
  });

  it('goes on at once within a list, and asks before another tab', async () => {
    type('the address');
    await userEvent.click(screen.getByText('Page 2'));
    expect(window.location.search).toBe('?page=2&limit=5');
    await userEvent.click(screen.getByText('Tab'));
    await question();
    await press('Stay');
    expect(window.location.search).toBe('?page=2&limit=5');
  });

  it('waits for the answer, and stays or goes', async () => {
    type('the profile');
    await userEvent.click(screen.getByText('Other'));
    expect((await question()).textContent).toContain('the profile');
    await press('Stay');
    expect(place()).toBe('/form');
    await userEvent.click(screen.getByText('Other'));
    await question();
    await press('Leave');
    await waitFor(() => expect(place()).toBe('/other'));
  });

  it('by the Back button waits as well, with the address of what is shown', async () => {
    type('the profile');
    act(() => window.history.back());
    await question();
    // The way back to the address is a navigation of its own
    await waitFor(() => expect(window.location.pathname).toBe('/form'));
    await press('Stay');
    expect(place()).toBe('/form');
    act(() => window.history.back());
    await question();
    await press('Leave');
    await waitFor(() => expect(place()).toBe('/first'));
  });
});

describe('signing out', () => {
  it('asks about every form, whether a navigation would lose it or not', async () => {
    type('the profile');
    type('the signature', { survivesNavigation: true });
    type('the message', { survivesNavigation: true, isAskedAboutElsewhere: true });
    const left = requestLogout();
    const { textContent } = await question();
    expect(textContent).toContain('the profile, the signature is not saved yet');
    await press('Stay');
    await left;
    expect(logOut).not.toHaveBeenCalled();
  });

  it('goes on when the person leaves what they typed, and when there is nothing', async () => {
    type('the profile');
    const left = requestLogout();
    await question();
    await press('Leave');
    await left;
    expect(logOut).toHaveBeenCalledOnce();
    cleanups.splice(0).forEach((clean) => clean());
    await requestLogout();
    expect(logOut).toHaveBeenCalledTimes(2);
  });
});

describe('closing the tab', () => {
  it('makes the browser ask while there is unsaved work of any kind', () => {
    cleanups.push(warnBeforeUnload());
    const isHeldUp = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    expect(isHeldUp()).toBe(false);
    type('the draft', { survivesNavigation: true });
    expect(isHeldUp()).toBe(true);
  });
});
