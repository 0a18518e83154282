import { type MailboxChangedEvent, realtimeEvents } from '@selvage/core/contracts/realtime';
import type { App } from '@selvage/core/context/app';
import type { Server } from 'socket.io';
import { isUserRoom } from './rooms.ts';

const usualLookMs = 60_000;
/** All processes are connected to Redis again after this time, so that they announce changes. */
const settledMs = 3000;
/** Windows are told over this time, so that their requests don't come all at once. */
const spreadMs = 10_000;

/**
 * Changes are announced by Redis, and are not announced again. So each open window is told to look
 * at its mailbox every minute while Redis is away, and once more when it is back.
 * @param feed the connection on which this process hears of changes
 * @returns ends this
 */
export function tellMissed(io: Server, feed: App['redis'], lookMs = usualLookMs): () => void {
  const tellAll = (soonestMs: number): void => {
    for (const room of io.of('/').adapter.rooms.keys()) {
      if (!isUserRoom(room)) continue;
      const event: MailboxChangedEvent = { folders: [] };
      const tell = (): void => void io.local.to(room).emit(realtimeEvents.mailboxChanged, event);
      setTimeout(tell, soonestMs + Math.random() * spreadMs).unref();
    }
  };
  const onReady = (): void => tellAll(settledMs);
  feed.on('ready', onReady);
  const timer = setInterval(() => feed.status !== 'ready' && tellAll(0), lookMs);
  timer.unref();
  return () => {
    feed.off('ready', onReady);
    clearInterval(timer);
  };
}
