import type { EmailDto } from '@selvage/core/contracts/email';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
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
