import type { App } from '../context/app.ts';
import { noticeFeed } from '../context/notice-feed.ts';

/*
 * Tells the open windows of a sender which sent messages have a new state for one of their
 * recipients. Nothing else of the entry changes, so it gets no new MODSEQ, and the feed of changed
 * folders (change-feed.ts) does not announce it. A window that misses a notice sees the new state
 * at its next refresh.
 */

/** Sent messages of one person whose deliveries have changed. */
export interface DeliveryNotice {
  userId: string;
  entryIds: string[];
}

/** The most entries that a notice names; a window sees the others at its next refresh. */
const mostNamed = 200;

const feed = noticeFeed<DeliveryNotice>('delivery-changes');

/** Publishes committed changes of deliveries, one notice a person. Never throws. */
export function announceDeliveries(app: Pick<App, 'redis'>, entries: readonly { id: string; userId: string }[]): void {
  const notices = [...Map.groupBy(entries, ({ userId }) => String(userId))].map(([userId, own]) => {
    const entryIds = [...new Set(own.map(({ id }) => String(id)))];
    return { userId, entryIds: entryIds.slice(0, mostNamed) };
  });
  feed.announce(app, notices);
}

/**
 * Subscribes to changed deliveries of all people of the host.
 * @param subscriber a connection that is only used to subscribe
 */
export async function hearDeliveries(
  subscriber: App['redis'],
  hear: (notices: readonly DeliveryNotice[]) => void,
): Promise<void> {
  await feed.hear(subscriber, hear);
}
