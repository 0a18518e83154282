import type { WrittenUpTo } from './archive-file.ts';

/** How far an archive is written. The row of the archive keeps it, after each step. */
export interface Cursor {
  written: WrittenUpTo;
  /**
   * The name of the directory that has the file, from `nameDirectory`; null before it is opened.
   */
  place: string | null;
  /**
   * In how many hours runs have failed since the last step, and when the last of these began, in
   * milliseconds since 1970. Hours in which the host was down do not count.
   */
  failing?: { hours: number; since: number } | undefined;
  /** How often the archive was begun anew because its files contradicted each other. */
  anew?: number | undefined;
  stage: 'company' | 'people' | 'groups' | 'end';
  /** The id of the last person who is written completely. */
  person: string;
  /**
   * The person whose mail is being written; `last` is the id of their last written draft or entry.
   */
  current: { id: string; folder: string; stage: 'drafts' | 'mail'; last: string; indexes: number } | null;
  counts: { people: number; messages: number; drafts: number; lost: number; files: number };
}

/** Before the first step. */
export const beginning: Cursor = {
  written: { bytes: 0, sums: 0 },
  place: null,
  stage: 'company',
  person: '0',
  current: null,
  counts: { people: 0, messages: 0, drafts: 0, lost: 0, files: 0 },
};
