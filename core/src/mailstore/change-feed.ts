import type { App } from '../context/app.ts';
import type { FolderKey } from '../contracts/mail-folders.ts';
import { log } from '../log.ts';

/*
 * Says which folders have changed, to whatever shows them: the websocket, and any door that keeps a
 * connection open. It says only that there is something new and up to which number.
 * `readFolderChanges` says what, so a notice that is lost costs no more than time: the next one, or
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

/** Publishes committed changes. Never throws: while Redis is away, notices are lost. */
export function announceChanges(app: Pick<App, 'redis'>, notices: readonly FolderNotice[]): void {
  if (notices.length === 0) return;
  app.redis.publish(channelOf(app.redis), JSON.stringify(notices)).catch((error: unknown) => {
    log.debug('changed folders could not be announced', { error });
  });
}

/**
 * Hears of changed folders of all people of the host.
 * @param subscriber a connection of its own, since a subscriber can't do anything else
 */
export async function hearChanges(
  subscriber: App['redis'],
  hear: (notices: readonly FolderNotice[]) => void,
): Promise<void> {
  const channel = channelOf(subscriber);
  subscriber.on('message', (from: string, text: string) => {
    if (from === channel) hear(JSON.parse(text) as FolderNotice[]);
  });
  await subscriber.subscribe(channel);
}

/**
 * Channels belong to the whole server, and several hosts may share one by their database number.
 */
function channelOf({ options }: App['redis']): string {
  return `mailbox-changes:${options.db ?? 0}`;
}
