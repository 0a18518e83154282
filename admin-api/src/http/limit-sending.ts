import type { App } from '@selvage/core/context/app';
import type { Context } from 'koa';
import { notBegun } from './work-queue.ts';

/**
 * Closes the connection when the client takes longer to receive the answer than an upload may take.
 * @param most the most seconds, for an answer that holds more than memory
 */
export function limitSending({ config }: App, { res }: Context, most = Number.POSITIVE_INFINITY): void {
  if (res.closed) return;
  const limit = setTimeout(() => res.destroy(), Math.min(most, config.transferSeconds) * 1000);
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

/** A signal that is aborted when the client disconnects before its answer was sent. */
export function whenGone({ res }: Context): AbortSignal {
  const gone = new AbortController();
  const note = () => gone.abort(notBegun());
  if (res.closed) note();
  else res.once('close', note);
  return gone.signal;
}
