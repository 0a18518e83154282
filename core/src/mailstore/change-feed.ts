import type { App } from '../context/app.ts';
import { noticeFeed } from '../context/notice-feed.ts';
import type { FolderKey } from '../contracts/mail-folders.ts';

/*
 * Announces which folders have changed to everything that shows them: the websocket, and any server
 * that keeps a connection open. A notice only says up to which MODSEQ there is something new.
 * `readChanges` reads the changes themselves, so a lost notice only costs time: after the next
 * notice, or the next refresh, the reader gets everything since the number that it knows.
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

/** The most arrivals at one moment that are announced one by one. */
export const mostArrived = 50;

const feed = noticeFeed<FolderNotice>('mailbox-changes');

/** Publishes committed changes. Never throws: while Redis is away, notices are lost. */
export function announceChanges(app: Pick<App, 'redis'>, notices: readonly FolderNotice[]): void {
  feed.announce(app, notices);
}

/**
 * Subscribes to changed folders of all people of the host.
 * @param subscriber a connection of its own, since a subscriber can't do anything else
 */
export async function hearChanges(
  subscriber: App['redis'],
  hear: (notices: readonly FolderNotice[]) => void,
): Promise<void> {
  await feed.hear(subscriber, hear);
}
