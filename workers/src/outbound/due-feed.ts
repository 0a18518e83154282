import type { App } from '@selvage/core/context/app';
import { noticeFeed } from '@selvage/core/context/notice-feed';

/*
 * A job wakes one worker process for the outgoing queue. When that process has no room for all that
 * may be due, it tells the other worker processes through this feed.
 */

const feed = noticeFeed<'due'>('deliveries-due');

/** Tells all worker processes that deliveries may be due. Never throws. */
export function announceDue(app: Pick<App, 'redis'>): void {
  feed.announce(app, ['due']);
}

/**
 * Calls `hear` when a worker process, this one included, announces that deliveries may be due.
 * @param subscriber a Redis connection that is used only to subscribe
 */
export async function hearDue(subscriber: App['redis'], hear: () => void): Promise<void> {
  await feed.hear(subscriber, hear);
}
