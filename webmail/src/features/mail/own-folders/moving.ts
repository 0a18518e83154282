import type { EmailRowDto } from '@selvage/core/contracts/email';
import { atom } from 'nanostores';
import { forgetWithPerson } from '../../../lib/forget.ts';
import type { MovePatch } from './move-calls.ts';

type Movable = Pick<
  EmailRowDto,
  'own_folder' | 'archive_status' | 'junk_status' | 'trash_status' | 'send_status' | 'snoozed_status'
>;

/** An open question for a folder. */
interface Asked {
  rows: readonly Movable[];
  /** How many messages or conversations are moved. */
  number: number;
  onChosen: (patch: MovePatch) => void;
}

/** The question of the dialog; null while it is closed. */
export const moving = atom<Asked | null>(null);
forgetWithPerson(() => moving.set(null));

/**
 * Asks to which folder messages are moved.
 * @param number how many are moved, if more than the rows
 */
export function askMove(
  rows: readonly Movable[],
  onChosen: (patch: MovePatch) => void,
  number: number = rows.length,
): void {
  if (rows.length > 0) moving.set({ rows, number, onChosen });
}

/** The own folder that a message is in; null for any other place. */
export function ownFolderOf(row: Omit<Movable, 'send_status' | 'snoozed_status'>): string | null {
  return row.trash_status || row.junk_status || row.archive_status ? null : row.own_folder;
}

/**
 * Whether all rows would go to the inbox if they left their folder, the archive, Junk or the trash.
 */
export function mayLeave(rows: readonly Movable[]): boolean {
  return rows.every(
    (row) =>
      !row.send_status &&
      !row.snoozed_status &&
      (row.own_folder !== null || row.archive_status || row.junk_status || row.trash_status),
  );
}
