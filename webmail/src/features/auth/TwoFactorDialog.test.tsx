import { screen } from '@testing-library/react';
import { beforeAll, expect, it, vi } from 'vitest';
import { secondFactorWords } from '../../words/second-factor.ts';
import { wordsOf } from '../../lib/i18n.ts';
import { show } from '../../test/render.tsx';
import TwoFactorDialog from './TwoFactorDialog.tsx';

// The dialog comes with much of Fluent, which takes its time
beforeAll(() => import('../../components/dialog/DialogFrame.tsx'), 60_000);

it('says why no code can be mailed after a link to the recovery mailbox, and which person can help', async () => {
  const props = { email: 'ana@remote.test', onProve: vi.fn(), onCancel: vi.fn() };
  const { unmount } = show(<TwoFactorDialog {...props} factors={['totp', 'recovery_code']} isPasswordByMail />);
  const t = wordsOf(secondFactorWords);
  expect((await screen.findByText(t.noMailedCode)).textContent).toContain('administrator of your company');
  expect(screen.queryByText(t.useMail)).toBeNull();
  unmount();
  show(<TwoFactorDialog {...props} factors={['totp', 'recovery_email']} isPasswordByMail={false} />);
  expect(await screen.findByText(t.useMail)).toBeTruthy();
  expect(screen.queryByText(t.noMailedCode)).toBeNull();
});
