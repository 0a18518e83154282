import type { SearchRowDto } from '@selvage/core/contracts/search';
import type { ShownDraft } from '../DeleteDraftsDialog.tsx';

/** Where a found message is, as its flags say now. */
export function placeOf(row: SearchRowDto): SearchRowDto['folder'] {
  if (row.draft_id !== null) return 'draft';
  if (row.trash_status) return 'trash';
  if (row.junk_status) return 'junk';
  if (row.archive_status) return 'archive';
  if (row.own_folder) return 'own';
  if (row.snoozed_status) return 'snoozed';
  return row.send_status ? 'sent' : 'inbox';
}

/** The address of its page. A draft has none. */
export function addressOf(row: SearchRowDto): string {
  const place = placeOf(row);
  return `/dashboard/${place === 'own' ? 'inbox' : place}/${row._id}`;
}

/** Whether a result is a message and not a draft. */
export function isMessage(row: Pick<SearchRowDto, 'draft_id'>): boolean {
  return row.draft_id === null;
}

/** A draft as its row shows it; null for a message. */
export function shownDraft({ draft_id: id, draft_version: version }: SearchRowDto): ShownDraft | null {
  return id === null || version === null ? null : { id, version };
}
