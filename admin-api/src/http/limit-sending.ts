import type { App } from '@selvage/core/context/app';
import type { Context } from 'koa';

/**
 * Closes the connection when the client takes longer to receive the answer than an upload may take.
 */
export function limitSending({ config }: App, { res }: Context): void {
  if (res.closed) return;
  const limit = setTimeout(() => res.destroy(), config.transferSeconds * 1000);
  res.once('close', () => clearTimeout(limit));
}

/**
 * Closes the connection of an answer of any length when its client reads more slowly than an upload
 * may arrive. The kernel buffers megabytes for a slow client and takes more only in bursts. So the
 * speed is measured over the whole time that an upload may take.
 */
export function keepPace({ config }: App, { req: { socket }, res }: Context): void {
  const least = config.transferBytesPerSecond * config.transferSeconds;
  if (res.closed || least === 0) return;
  let sent = socket.bytesWritten;
  const watch = setInterval(() => {
    if (socket.bytesWritten - sent < least) res.destroy();
    sent = socket.bytesWritten;
  }, config.transferSeconds * 1000);
  res.once('close', () => clearInterval(watch));
}
