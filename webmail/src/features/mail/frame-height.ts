import { tallestFrame } from '@selvage/core/contracts/mail-frame';

/** More growths than this without a rest are taken for a text that grows with its frame. */
const mostGrowths = 150;
const restMs = 3000;

/**
 * Gives the height that a frame takes for each height that its text reports, or null when it stays
 * as it is. A text whose height follows its frame's would grow for ever: it is let grow a while,
 * and scrolls within its frame from then on.
 */
export function followHeight(): (reported: number, now: number) => number | null {
  let height = 0;
  let growths = 0;
  let lastAt = 0;
  return (reported, now) => {
    if (now - lastAt > restMs) growths = 0;
    lastAt = now;
    if (reported > height && ++growths > mostGrowths) return null;
    height = Math.min(reported, tallestFrame);
    return height;
  };
}
