import type { SearchQuery } from './search-query.ts';

/*
 * What a process and its search threads say to each other. A thread holds the index files of the
 * mailboxes that it was asked about.
 */

/** How far an index knows a folder. */
export interface KnownFolder {
  folderId: string;
  uidValidity: number;
  /** Entries that came or changed up to this MODSEQ are in it. */
  modseq: string;
  /** Entries that left the folder up to this MODSEQ are out of it. */
  removedModseq: string;
}

/**
 * How far an index is. It is built folder by folder, the newest entries first. What changes
 * meanwhile has a MODSEQ above those of `folders`, and is followed as soon as it is built.
 */
export interface IndexState {
  /** Counts the changes of the index. A change that started from an older count is refused. */
  stamp: number;
  /** Empty before the building begins. */
  folders: KnownFolder[];
  /** While it is built: the entry after which it goes on; null at the very beginning. */
  next: { folderId: string; arrivedAt: number; id: string } | null;
  isBuilt: boolean;
  /** Entries in it. */
  entries: number;
  /** Files of some entries are not read yet. */
  hasUnreadFiles: boolean;
}

/** What an index knows of an entry besides its words. */
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

/** An entry that comes into the index. The words of its files follow. */
export interface NewEntry extends EntryFacts, Omit<EntryTexts, 'attached'> {
  /** When it came, milliseconds since 1970. */
  arrivedAt: number;
  size: number;
  fileCount: number;
  /** Some of its files are of kinds that have words. */
  hasUnreadFiles: boolean;
}

/** A change of an index, which is made whole or not at all. */
export interface IndexChange {
  /** The `stamp` of the state that the change starts from. */
  stamp: number;
  added: NewEntry[];
  /** Entries that are in it already. */
  changed: EntryFacts[];
  /** Entries that left a folder, as the folder knows them. */
  removed: { folderId: string; uid: number }[];
  /** A folder that is no more, with all entries that still stand in it. */
  removedFolder?: string;
  /** How far the index is afterwards. */
  next: Pick<IndexState, 'folders' | 'next' | 'isBuilt'>;
}

/** Which hits of a question are wanted, the newest first. */
export interface HitsWanted {
  query: SearchQuery;
  /** The folders that may be searched. */
  folderIds: string[];
  /** Ids of entries as a list of JSON, of which one is asked for; unless given, any. */
  among?: string;
  /** Such lists of entries that are left out. */
  notAmong?: string[];
  offset: number;
  limit: number;
  /** The most hits that are counted. */
  countUpTo: number;
}

/** The entries that have what was asked for. */
export interface Hits {
  ids: string[];
  /** At most `countUpTo`. */
  count: number;
}

/** How much of a mailbox's files is read. */
export interface FilesBudget {
  /** The time of the call, milliseconds since 1970. */
  now: number;
  msPerMinute: number;
}

/** What to do next about the files of a mailbox: those of an entry, or nothing until a moment. */
export type FilesTurn = { kind: 'entry'; id: string } | { kind: 'later'; at: number } | { kind: 'none' };

/** The files of an entry were read, or could not be. */
export interface FilesRead {
  /** The entry's id. */
  id: string;
  /** All texts of the entry; null when its files have no words. */
  texts: EntryTexts | null;
  spentMs: number;
  now: number;
}

/** The tasks of a search thread, with their input and output. */
export interface SearchTasks {
  state: { input: { userId: string }; output: IndexState };
  /** The ids of these that are in the index. */
  known: { input: { userId: string; ids: string[] }; output: string[] };
  /** The new state; null when the index is no longer the one that the change started from. */
  change: { input: { userId: string; change: IndexChange }; output: IndexState | null };
  find: { input: { userId: string; wanted: HitsWanted }; output: Hits };
  /** Chooses the entry whose files are read next, and counts the try before it is made. */
  takeFiles: { input: { userId: string; budget: FilesBudget }; output: FilesTurn };
  noteFiles: { input: { userId: string; read: FilesRead }; output: null };
  /** Empties the index, so that it is built anew. */
  clear: { input: { userId: string }; output: null };
}
