import type { AttachmentDto } from '@selvage/core/contracts/email';
import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { show } from '../../test/render.tsx';
import { AttachmentList } from './AttachmentList.tsx';

const file = (_id: string): AttachmentDto => ({
  _id,
  file_path: `/upload/${_id}`,
  original_name: `${_id}.ics`,
  contentType: 'text/calendar',
  file_type: 'text',
  size: 1,
  showData: true,
});

it.each([
  [1, 0],
  [2, 1],
])('offers an archive of %d files %d times', (files, archives) => {
  const attachments = Array.from({ length: files }, (_, index) => file(`invite${index}`));
  show(<AttachmentList attachments={attachments} allPath="/upload/all" />);
  expect(screen.getAllByRole('button', { name: /^(Show|Download) invite/ }).length).toBeGreaterThanOrEqual(files);
  expect(screen.queryAllByRole('button', { name: 'Download all' })).toHaveLength(archives);
});

it('shows the first of many files, says how many others there are, and shows them when asked', () => {
  const attachments = Array.from({ length: 60 }, (_, index) => file(`scan${index}`));
  show(<AttachmentList attachments={attachments} allPath="/upload/all" />);
  const files = () => screen.getAllByRole('button', { name: /^Download scan/ }).length;
  expect(files()).toBe(20);
  screen.getByRole('button', { name: 'Download all' });
  fireEvent.click(screen.getByRole('button', { name: 'and 40 more' }));
  expect(files()).toBe(60);
  expect(screen.queryByRole('button', { name: /more$/ })).toBeNull();
});

it('moves the focus from the button that shows the others to the first of them', async () => {
  const attachments = Array.from({ length: 60 }, (_, index) => file(`scan${index}`));
  const { person } = show(<AttachmentList attachments={attachments} allPath="/upload/all" />);
  screen.getByRole('button', { name: 'and 40 more' }).focus();
  await person.keyboard('{Enter}');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: /^Download scan20\./ }));
});
