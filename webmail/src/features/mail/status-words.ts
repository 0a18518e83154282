import { wordsOf } from '../../lib/i18n.ts';
import { mailActionWords } from '../../words/mail-list.ts';
import type { StatusPatch } from './use-change-status.ts';

/** What a change of flags did, for its toast. */
export function saidOf(patch: StatusPatch, number: number): string {
  const t = wordsOf(mailActionWords);
  if (patch.archive_status !== undefined) return patch.archive_status ? t.archived(number) : t.unArchived(number);
  if (patch.trash_status !== undefined) return patch.trash_status ? t.trashed(number) : t.restored(number);
  return patch.read_status ? t.read(number) : t.unreadAgain(number);
}
