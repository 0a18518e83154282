import { screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { expect, it, vi } from 'vitest';
import type { Page } from '../../lib/page.ts';
import { show } from '../../test/render.tsx';
import { PageScreen } from './PageScreen.tsx';

const load = vi.fn(async () => ({ default: () => <p>The mill</p> }));
const page: Page = { path: '/dashboard/company/:id', frame: 'shell', title: 'company', load };

function showAt(path: string): void {
  load.mockClear();
  show(
    <Routes>
      <Route path={page.path} element={<PageScreen page={page} />} />
    </Routes>,
    path,
  );
}

it.each(['new', 'xyz', '0', '-1', '1.5', '9223372036854775808'])(
  'an address that names %s as its record says that there is none, and offers no other try',
  async (id) => {
    showAt(`/dashboard/company/${id}`);
    await screen.findByText('This is no longer here');
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
    expect(screen.getByRole('link').getAttribute('href')).toBe('/dashboard/company');
    expect(load).not.toHaveBeenCalled();
  },
);

it('an address of a record shows its page', async () => {
  showAt('/dashboard/company/9223372036854775807');
  await screen.findByText('The mill');
  await waitFor(() => expect(document.title).toBe('Company · Selvage'));
});
