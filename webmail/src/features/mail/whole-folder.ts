import type { LabelDto } from '@selvage/core/contracts/labels';
import { type WholeFolder, wholeFolders } from '@selvage/core/contracts/mail-folders';
import type { MailPlace } from './mail-place.ts';
import type { MovedFrom } from './own-folders/move-calls.ts';
import type { StatusPatch } from './use-change-status.ts';

/** All of a folder, as it was when the person chose it. */
export interface WholeChoice {
  folder: WholeFolder;
  /** Messages that arrive after this time are not part of the choice. */
  until: string;
  /** The number of messages, even if the list counts conversations. */
  total: number;
}

/** A label to put on, or take off, all messages of a folder. */
export interface LabelOfWhole {
  label: Pick<LabelDto, '_id' | 'name'>;
  isOn: boolean;
}

/** One flag, one folder or one label for all messages of a folder. */
export type WholePatch = StatusPatch | { delete_status: true } | LabelOfWhole;

/** Messages that a change has altered. */
export interface Touched {
  /** Their former place, if they were moved. */
  from?: MovedFrom[number]['from'];
  email_ids: string[];
}

/** The progress of a change of a folder. */
export interface WholeProgress {
  /** How many messages the server has examined. */
  seen: number;
  touched: Touched[];
  /** Where the next call continues; null at the end. */
  until: string | null;
}

export function isWholeFolder(folder: MailPlace): folder is WholeFolder {
  return folder.startsWith('own:') || wholeFolders.some((name) => name === folder);
}
