import { screen } from '@testing-library/react';
import { Link, useLocation } from 'react-router-dom';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { endSession, storeTokens } from '../../lib/session.ts';
import { show } from '../../test/render.tsx';
import { BackupMailbox } from './BackupMailbox.tsx';

beforeEach(() => {
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  const pagination = { totalData: 0, totalPages: 0, pageNumber: 1, pageSize: 10 };
  vi.stubGlobal('fetch', async () => Response.json({ success: true, message: '', data: [], pagination }));
});
afterEach(() => {
  endSession();
  vi.unstubAllGlobals();
});

function Page() {
  const { pathname, search } = useLocation();
  return (
    <>
      <Link
        to="/dashboard/backup/backup_emails?email=ana@mill.test"
        state={{ from: '/dashboard/backup?page=2&search=ana' }}
      >
        Open
      </Link>
      <output>{`${pathname}${search}`}</output>
      <BackupMailbox email="ana@mill.test" id="" />
    </>
  );
}

const place = () => document.querySelector('output')?.textContent;

it('leads back to the list of backups as it was, also after a press on the other tab', async () => {
  const { person } = show(<Page />, '/dashboard/backup');
  await person.click(screen.getByRole('link', { name: 'Open' }));
  await person.click(screen.getByRole('tab', { name: /^View Sent/ }));
  await person.click(screen.getByRole('button', { name: 'Back' }));
  expect(place()).toBe('/dashboard/backup?page=2&search=ana');
});

it('leads to the list of backups where it was opened by its address', async () => {
  const { person } = show(<Page />, '/dashboard/backup/backup_emails?email=ana@mill.test');
  await person.click(screen.getByRole('button', { name: 'Back' }));
  expect(place()).toBe('/dashboard/backup');
});
