import { log } from '../log.ts';
import type { App } from './app.ts';

/** Notices of one kind, which all processes of the host may hear. A lost one is not repeated. */
interface NoticeFeed<T> {
  /** Never throws: while Redis is away, notices are lost. */
  announce(app: Pick<App, 'redis'>, notices: readonly T[]): void;
  /** @param subscriber a connection that does nothing else; several feeds may share it */
  hear(subscriber: App['redis'], hear: (notices: readonly T[]) => void): Promise<void>;
}

/** Makes a feed of notices by its name in Redis. */
export function noticeFeed<T>(name: string): NoticeFeed<T> {
  // Channels belong to the whole server, and several hosts may share one by their database number
  const channelOf = ({ options }: App['redis']): string => `${name}:${options.db ?? 0}`;
  return {
    announce({ redis }, notices) {
      if (notices.length === 0) return;
      redis.publish(channelOf(redis), JSON.stringify(notices)).catch((error: unknown) => {
        log.debug('notices could not be announced', { feed: name, error });
      });
    },
    async hear(subscriber, hear) {
      const channel = channelOf(subscriber);
      subscriber.on('message', (from: string, text: string) => {
        if (from !== channel) return;
        try {
          hear(JSON.parse(text) as T[]);
        } catch (error) {
          // An error in a listener would end the process
          log.warn('notices cannot be read and are left out', { feed: name, error });
        }
      });
      await subscriber.subscribe(channel);
    },
  };
}
