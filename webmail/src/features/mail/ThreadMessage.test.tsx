import type { EmailDto } from '@selvage/core/contracts/email';
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { storeTokens } from '../../lib/session.ts';
import { show } from '../../test/render.tsx';
import { ThreadMessage } from './ThreadMessage.tsx';

vi.mock('./OpenMessage.tsx', () => ({ OpenMessage: ({ email }: { email: object }) => <p>{JSON.stringify(email)}</p> }));

/** An observer that sees each element at once. */
class SeesAll {
  readonly #see: (seen: { isIntersecting: boolean }[]) => void;

  constructor(see: (seen: { isIntersecting: boolean }[]) => void) {
    this.#see = see;
  }

  observe(): void {
    this.#see([{ isIntersecting: true }]);
  }

  disconnect(): void {}
}

const asLoaded = {
  _id: '4',
  read_status: false,
  star_status: false,
  archive_status: false,
  trash_status: false,
  junk_status: false,
  snoozed_status: false,
  snoozed_until: null,
  own_folder: null,
};
const present = {
  _id: '4',
  read_status: true,
  star_status: true,
  archive_status: true,
  trash_status: true,
  junk_status: true,
  snoozed_status: true,
  snoozed_until: '2026-12-01T08:00:00.000Z',
  own_folder: '9',
};

it('shows another message of a conversation with its present flags, and not as it was loaded', async () => {
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  vi.stubGlobal('IntersectionObserver', SeesAll);
  const data = { ...asLoaded, body: 'The looms are here.' };
  vi.stubGlobal('fetch', async () => Response.json({ success: true, message: '', data }));
  const item = { ...present, snippet: 'The looms', sender_name: 'Ana' } as unknown as EmailDto['replies'][number];
  const none = (): void => undefined;
  show(<ThreadMessage item={item} isAlone={false} isOpen isUnread={false} onToggle={none} canCompose={false} />);
  const shown = await screen.findByText(/looms are here/);
  expect(JSON.parse(shown.textContent)).toEqual({ ...data, ...present });
});
