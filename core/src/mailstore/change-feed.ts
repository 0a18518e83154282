import type { App } from '../context/app.ts';
import { noticeFeed } from '../context/notice-feed.ts';
import type { FolderKey } from '../contracts/mail-folders.ts';

/*
 * Says which folders have changed, to whatever shows them: the websocket, and any door that keeps a
 * connection open. It says only that there is something new and up to which number.
 * `readChanges` says what, so a notice that is lost costs no more than time: the next one, or
 * the next look, brings everything since the number that the reader knows.
 */

/** A folder that has changed. */
export interface FolderNotice {
  folderId: string;
  userId: string;
  role: FolderKey;
  /** The MODSEQ of the change. */
  modseq: string;
  /** Entries of new mail in the inbox that the person has not read, at most `mostArrived`. */
  arrived?: string[];
}

/** More messages that come at one moment are not announced one by one. */
export const mostArrived = 50;

const feed = noticeFeed<FolderNotice>('mailbox-changes');

/** Publishes committed changes. Never throws: while Redis is away, notices are lost. */
export function announceChanges(app: Pick<App, 'redis'>, notices: readonly FolderNotice[]): void {
  feed.announce(app, notices);
}

/**
 * Hears of changed folders of all people of the host.
 * @param subscriber a connection of its own, since a subscriber can't do anything else
 */
export async function hearChanges(
  subscriber: App['redis'],
  hear: (notices: readonly FolderNotice[]) => void,
): Promise<void> {
  await feed.hear(subscriber, hear);
}
