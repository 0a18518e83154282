import type { App } from '../context/app.ts';
import { noticeFeed } from '../context/notice-feed.ts';

/*
 * Tells the open windows of a sender which sent messages have a new state for one of their
 * recipients. Nothing else of an entry changes by it, so it gets no new MODSEQ, and the feed of
 * changed folders (change-feed.ts) is silent. A window that misses a notice finds it by its next
 * look.
 */

/** Sent messages of one person whose deliveries have changed. */
export interface DeliveryNotice {
  userId: string;
  entryIds: string[];
}

/** A notice names no more than this: what else has changed is found by the next look. */
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
 * Hears of changed deliveries of all people of the host.
 * @param subscriber a connection that does nothing but hear
 */
export async function hearDeliveries(
  subscriber: App['redis'],
  hear: (notices: readonly DeliveryNotice[]) => void,
): Promise<void> {
  await feed.hear(subscriber, hear);
}
