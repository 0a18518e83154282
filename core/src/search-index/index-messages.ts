import type { SearchQuery } from './search-query.ts';

/*
 * The messages between a process and its search threads. A thread keeps the index files open of the
 * mailboxes that it has worked on.
 */

/** The progress of an index within a folder. */
export interface KnownFolder {
  folderId: string;
  uidValidity: number;
  /** New and changed entries up to this MODSEQ are in the index. */
  modseq: string;
  /** Entries that left the folder up to this MODSEQ are removed from the index. */
  removedModseq: string;
}

/**
 * The progress of an index. It is built folder by folder, the newest entries first. Changes
 * meanwhile have a MODSEQ above those of `folders`, and are read once the index is built.
 */
export interface IndexState {
  /** Counts the changes of the index. A change that started from an older count is rejected. */
  stamp: number;
  /** Empty before the building begins. */
  folders: KnownFolder[];
  /** While the index is built: the entry after which to continue; null at the very beginning. */
  next: { folderId: string; placedAt: number; id: string } | null;
  isBuilt: boolean;
  /** The number of entries in the index. */
  entries: number;
  /** Whether files of some entries are not read yet. */
  hasUnreadFiles: boolean;
}

/** The data of an entry in the index, besides its words. */
export interface EntryFacts {
  /** The entry's id. */
  id: string;
  folderId: string;
  uid: number;
  isUnread: boolean;
  isStarred: boolean;
}

/** The texts of an entry by column. */
export interface EntryTexts {
  sender: string;
  recipients: string;
  subject: string;
  body: string;
  /** Names of its files. */
  files: string;
  /** The words of its files. */
  attached: string;
}

/** An entry to add to the index. The words of its files follow later. */
export interface NewEntry extends EntryFacts, Omit<EntryTexts, 'attached'> {
  /**
   * When it came first, in milliseconds since 1970. A snoozed message that comes back keeps its
   * place.
   */
  arrivedAt: number;
  size: number;
  fileCount: number;
  /** Whether some of its files are of kinds that have words. */
  hasUnreadFiles: boolean;
}

/** A change of an index. Either all of it is made, or nothing. */
export interface IndexChange {
  /** The `stamp` of the state that the change starts from. */
  stamp: number;
  added: NewEntry[];
  /** Entries that are in the index already. */
  changed: EntryFacts[];
  /** Entries that left a folder, by folder and UID. */
  removed: { folderId: string; uid: number }[];
  /** A folder that no longer exists; all entries that are still in it are removed. */
  removedFolder?: string;
  /** The progress of the index afterwards. */
  next: Pick<IndexState, 'folders' | 'next' | 'isBuilt'>;
}

/** Which hits of a search to return, the newest first. */
export interface HitsWanted {
  query: SearchQuery;
  /** The folders that may be searched. */
  folderIds: string[];
  /** Ids of entries as a JSON list; only these can be hits. Unless given, all entries can. */
  among?: string;
  /** Such lists of entries that can't be hits. */
  notAmong?: string[];
  offset: number;
  limit: number;
  /** The most hits that are looked for. */
  countUpTo: number;
}

/** The hits of a search. */
export interface Hits {
  ids: string[];
  /** At most `countUpTo`. */
  count: number;
}

/** How much time may be spent on the files of a mailbox. */
export interface FilesBudget {
  /** The time of the call, milliseconds since 1970. */
  now: number;
  msPerMinute: number;
}

/**
 * What to do next about the files of a mailbox: read those of an entry, or wait until a moment.
 * After too many attempts, those of an entry are given up.
 */
export type FilesTurn =
  | { kind: 'entry'; id: string }
  | { kind: 'given_up'; id: string }
  | { kind: 'later'; at: number }
  | { kind: 'none' };

/** An entry whose files could not be read, for another reason than the files. */
export interface FilesReturned {
  id: string;
  now: number;
}

/** The result of reading the files of an entry. */
export interface FilesRead {
  /** The entry's id. */
  id: string;
  /** All texts of the entry; null when its files have no words. */
  texts: EntryTexts | null;
  spentMs: number;
  now: number;
}

/** The tasks of a search thread or of the process beside it, with their input and output. */
export interface SearchTasks {
  state: { input: { userId: string }; output: IndexState };
  /** Returns those of the ids that are in the index. */
  known: { input: { userId: string; ids: string[] }; output: string[] };
  /**
   * Returns the new state; null when the index has changed since the state that the change starts
   * from.
   */
  change: { input: { userId: string; change: IndexChange }; output: IndexState | null };
  find: { input: { userId: string; wanted: HitsWanted }; output: Hits };
  /** Chooses the entry whose files are read next, and counts the attempt before it is made. */
  takeFiles: { input: { userId: string; budget: FilesBudget }; output: FilesTurn };
  returnFiles: { input: { userId: string; returned: FilesReturned }; output: null };
  noteFiles: { input: { userId: string; read: FilesRead }; output: null };
  /** Empties the index, so that it is built again. */
  clear: { input: { userId: string }; output: null };
}

/** The tasks of a thread. Searches have a process, which can be killed. */
export type ThreadTask = Exclude<keyof SearchTasks, 'find'>;
