import type { App } from '@selvage/core/context/app';
import type { Context } from 'koa';

/** Ends an answer that takes its client longer than an upload may take. */
export function limitSending({ config }: App, { res }: Context): void {
  if (res.closed) return;
  const limit = setTimeout(() => res.destroy(), config.transferSeconds * 1000);
  res.once('close', () => clearTimeout(limit));
}

/**
 * Ends an answer of any length whose client reads more slowly than an upload may arrive. A system
 * keeps megabytes for a slow client and asks for more all at once, so the pace is that of the whole
 * time in which one upload has to arrive.
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
