import type { EmailRowDto } from '@selvage/core/contracts/email';
import { expect, it } from 'vitest';
import { patchTo } from './row-drag.ts';

const flags = { archive_status: false, trash_status: false, star_status: false, delete_status: false };

function row(change: Partial<EmailRowDto> = {}): EmailRowDto {
  return { ...flags, received_status: true, send_status: false, ...change } as EmailRowDto;
}

it('finds the one flag that brings rows into a folder', () => {
  expect(patchTo('archive', [row()])).toEqual({ archive_status: true });
  expect(patchTo('trash', [row(), row({ star_status: true })])).toEqual({ trash_status: true });
  expect(patchTo('starred', [row(), row({ star_status: true })])).toEqual({ star_status: true });
  expect(patchTo('inbox', [row({ archive_status: true })])).toEqual({ archive_status: false });
  expect(patchTo('inbox', [row({ trash_status: true })])).toEqual({ trash_status: false });
  expect(patchTo('archive', [row({ trash_status: true, archive_status: true })])).toEqual({ trash_status: false });
});

it('finds none where the rows are already, or where one flag is not enough', () => {
  expect(patchTo('inbox', [row()])).toBeNull();
  expect(patchTo('inbox', [])).toBeNull();
  expect(patchTo('sent', [row()])).toBeNull();
  expect(patchTo('starred', [row({ trash_status: true })])).toBeNull();
  // Restoring it would lead to the archive
  expect(patchTo('inbox', [row({ trash_status: true, archive_status: true })])).toBeNull();
  // What the person sent does not go to the inbox
  expect(
    patchTo('inbox', [row({ archive_status: true }), row({ send_status: true, received_status: false })]),
  ).toBeNull();
});
