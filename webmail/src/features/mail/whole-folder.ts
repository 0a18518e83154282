import { changeFolder, changeStatus, type WholeFolder, wholeFolders } from '@selvage/core/contracts/mail-folders';
import { api } from '../../lib/api.ts';
import { inParts } from '../../lib/in-parts.ts';
import type { MailPlace } from './mail-place.ts';
import type { StatusPatch } from './use-change-status.ts';

/** All of a folder, as it was when the person chose it. */
export interface WholeChoice {
  folder: WholeFolder;
  /** What comes in behind it is not part of the choice. */
  until: string;
  /** Messages, whatever the list counts. */
  total: number;
}

/** One flag for all messages of a folder. */
export type WholePatch = StatusPatch | { delete_status: true };

/** How far a change of a folder has come. */
export interface WholeProgress {
  /** Messages that were looked at. */
  seen: number;
  /** Those that had the other value before. */
  touched: string[];
  /** Where the next call goes on; null at the end. */
  until: string | null;
}

export function isWholeFolder(folder: MailPlace): folder is WholeFolder {
  return wholeFolders.some((name) => name === folder);
}

/** Makes the next part of a change of a folder. */
export async function changePart(
  { folder }: WholeChoice,
  patch: WholePatch,
  { seen, touched, until }: WholeProgress & { until: string },
): Promise<WholeProgress> {
  const answer = await api(changeFolder, { body: { folder, until, ...patch } });
  return {
    seen: seen + answer.seen,
    touched: [...touched, ...answer.touched],
    until: answer.is_left ? answer.until : null,
  };
}

/** Gives the messages that a change has touched the other value back. */
export async function takeBackWhole(touched: readonly string[], patch: StatusPatch): Promise<void> {
  const before = Object.fromEntries(Object.entries(patch).map(([name, value]) => [name, !value]));
  await inParts(touched, (part) => api(changeStatus, { body: { email_id: part, ...before } }));
}
