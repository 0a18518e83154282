import type { BackupProgressDto } from '@selvage/core/contracts/mail-backups';
import type { UserDto } from '@selvage/core/contracts/users';
import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { storeTokens } from '../../lib/session.ts';
import { show } from '../../test/render.tsx';
import { BackupDialog } from './BackupDialog.tsx';

vi.mock('../../components/form/RecordPicker.tsx', () => ({
  RecordPicker: ({ onPick }: { onPick: (id: string, row: { email: string }) => void }) => (
    <button type="button" onClick={() => onPick('8', { email: 'bea@weavers.test' })}>
      Pick Bea
    </button>
  ),
}));

const company = { _id: '1', name: 'Weavers' };
const user = { _id: '7', email: 'ana@weavers.test', company_id: company };
const given = {
  _id: '3',
  backup_email: 'ana@weavers.test',
  backup_user_email: 'bea@weavers.test',
  state: 'copying',
  copied: 100,
  total: 900,
  can_be_opened: true,
} as BackupProgressDto;

afterEach(() => vi.unstubAllGlobals());

it('shows how far the copying is, and tells a screen reader the end alone', async () => {
  let progress = given;
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '6' }))}.x`, refreshToken: 'x', expires_in: 900 });
  vi.stubGlobal('fetch', async () => Response.json({ success: true, message: '', data: progress }));
  const { person } = show(<BackupDialog user={user as unknown as UserDto} onClose={() => undefined} />);
  await person.click(await screen.findByRole('button', { name: 'Pick Bea' }));
  await person.click(screen.getByRole('button', { name: 'Back up' }));
  await screen.findByText(/100 of 900/);
  const told = (): string[] => screen.getAllByRole('status').map(({ textContent }) => textContent);
  expect(told().join('')).toBe('');
  progress = { ...given, copied: 400 };
  await screen.findByText(/400 of 900/);
  expect(told().join('')).toBe('');
  progress = { ...given, copied: 900, state: 'ready' };
  await waitFor(() => expect(told().join('')).toContain('bea@weavers.test'));
});
