import type { App } from '@selvage/core/context/app';
import { noticeFeed } from '@selvage/core/context/notice-feed';

/*
 * A wake-up for the outgoing queue is a job, so one worker process gets it. By this feed that
 * process tells the others, where it has no room for all that may be due.
 */

const feed = noticeFeed<'due'>('deliveries-due');

/** Tells all worker processes that deliveries may be due. Never throws. */
export function announceDue(app: Pick<App, 'redis'>): void {
  feed.announce(app, ['due']);
}

/**
 * Hears that deliveries may be due, also what this process has announced.
 * @param subscriber a connection that does nothing but hear
 */
export async function hearDue(subscriber: App['redis'], hear: () => void): Promise<void> {
  await feed.hear(subscriber, hear);
}
