import type { AttachmentDto } from '@selvage/core/contracts/email';
import { screen } from '@testing-library/react';
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
