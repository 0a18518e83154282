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
 * meanwhile has a MODSEQ behind those of `folders`, and is followed as soon as it is built.
 */
export interface IndexState {
  /** Counts the changes of the index. A change that started from an older count is refused. */
  stamp: number;
  /** Empty before the building begins. */
  folders: KnownFolder[];
  /** While it is built: the entry behind which it goes on; null at the very beginning. */
  next: { folderId: string; arrivedAt: number; id: string } | null;
  isBuilt: boolean;
  /** Entries in it. */
  entries: number;
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

/** An entry that comes into the index. */
export interface NewEntry extends EntryFacts {
  /** When it came, milliseconds since 1970. */
  arrivedAt: number;
  size: number;
  fileCount: number;
  sender: string;
  recipients: string;
  subject: string;
  body: string;
  /** Names of its files. */
  files: string;
  /** The words of its files. */
  attached: string;
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
  /** How far the index is afterwards. */
  next: Pick<IndexState, 'folders' | 'next' | 'isBuilt'>;
}

/** Which hits of a question are wanted, the newest first. */
export interface HitsWanted {
  query: SearchQuery;
  /** The folders that may be searched. */
  folderIds: string[];
  /** Ids of entries, of which one is asked for; unless given, any. */
  among?: string[];
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

/** The tasks of a search thread, with their input and output. */
export interface SearchTasks {
  state: { input: { userId: string }; output: IndexState };
  /** The ids of these that are in the index. */
  known: { input: { userId: string; ids: string[] }; output: string[] };
  /** The new state; null when the index is no longer the one that the change started from. */
  change: { input: { userId: string; change: IndexChange }; output: IndexState | null };
  find: { input: { userId: string; wanted: HitsWanted }; output: Hits };
  /** Empties the index, so that it is built anew. */
  clear: { input: { userId: string }; output: null };
}
