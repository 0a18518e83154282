import type { EmailDto } from '@selvage/core/contracts/email';
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { listenForShortcuts, useShortcuts } from '../../hooks/use-shortcuts.ts';
import { show } from '../../test/render.tsx';
import { MessageFrame } from './MessageFrame.tsx';

const message = {
  _id: '5',
  body: '<p>Dear reader</p>',
  sheet: '',
  look: 'plain',
  subject: 'Yarn',
  hasRemoteContent: true,
  always_shows_images: false,
  may_always_show_images: false,
  images_path: '/images',
  sender_email: 'news@remote.test',
};

it('goes on in the text when a key has shown the pictures', async () => {
  const { person } = show(<MessageFrame message={message as unknown as EmailDto} title="The text" />);
  screen.getByRole('button', { name: 'Show pictures' }).focus();
  await person.keyboard('{Enter}');
  expect(screen.queryByRole('button')).toBeNull();
  expect(document.activeElement).toBe(screen.getByTitle('The text'));
});

it('takes a key that is held in the text for one press', () => {
  listenForShortcuts();
  const undo = vi.fn();
  function Keys() {
    useShortcuts({ z: undo });
    return <MessageFrame message={message as unknown as EmailDto} title="The text" />;
  }
  show(<Keys />);
  const frame = screen.getByTitle<HTMLIFrameElement>('The text');
  frame.focus();
  for (const repeat of [false, true, true]) {
    const data = { kind: 'key', key: 'z', code: 'KeyZ', shiftKey: false, repeat };
    window.dispatchEvent(new MessageEvent('message', { data, origin: 'null', source: frame.contentWindow }));
  }
  expect(undo).toHaveBeenCalledOnce();
});
