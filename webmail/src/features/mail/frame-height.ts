import { tallestFrame } from '@selvage/core/contracts/mail-frame';

/** A text that grows more often than this without a pause is taken to grow with its frame. */
const MOST_GROWTHS = 150;
const REST_MS = 3000;

/**
 * Gives the height that a frame takes for each height that its text reports, or null when it stays
 * as it is. A text whose height depends on its frame would grow for ever. It may grow for a while,
 * and then scrolls within its frame.
 */
export function followHeight(): (reported: number, now: number) => number | null {
  let height = 0;
  let growths = 0;
  let lastAt = 0;
  return (reported, now) => {
    if (now - lastAt > REST_MS) growths = 0;
    lastAt = now;
    if (reported > height && ++growths > MOST_GROWTHS) return null;
    height = Math.min(reported, tallestFrame);
    return height;
  };
}
