import { readFrameMessage } from '@selvage/core/contracts/mail-frame';
import { sendEmail } from '@selvage/core/contracts/mail';
import { useLayoutEffect, useRef, useState } from 'react';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { followHeight } from './frame-height.ts';
import { writeTo } from './write-to.ts';

/**
 * Listens to the script in a message's frame (D41): the frame gets the height of its text, keys act
 * as if they were pressed on the page, a `mailto:` link opens a message to write, and a link to a
 * place in the text scrolls the page there.
 */
export function useFrame() {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState<number | null>(null);
  const [place, setPlace] = useState<{ top: number } | null>(null);
  const canCompose = can(useCurrentUser(), sendEmail);
  // A layout effect, because on a busy page a plain effect could run after the first report of the
  // frame
  useLayoutEffect(() => {
    const follow = followHeight();
    const listen = ({ source, origin, data }: MessageEvent): void => {
      // An opaque origin is reported as "null". Messages of other windows are ignored
      if (source === null || source !== frame.current?.contentWindow || origin !== 'null') return;
      const message = readFrameMessage(data);
      if (message?.kind === 'height') {
        const next = follow(message.height, performance.now());
        if (next !== null) setHeight(next);
      }
      // Accepted only while the focus is in the frame, so that a message cannot press keys by
      // itself
      if (document.activeElement !== frame.current) return;
      if (message?.kind === 'key') pressKey(message);
      if (message?.kind === 'print') pressKey({ key: 'p', ctrlKey: true });
      if (message?.kind === 'mailto' && canCompose) void writeTo(message.href);
      if (message?.kind === 'place') setPlace({ top: message.top });
    };
    window.addEventListener('message', listen);
    return () => window.removeEventListener('message', listen);
  }, [canCompose]);
  // A fold that opens for this place makes the frame taller. The frame reports its height first
  useLayoutEffect(() => {
    if (place && frame.current) showPlace(frame.current, place.top);
  }, [place]);
  return { frame, height };
}

function pressKey(key: KeyboardEventInit): void {
  document.dispatchEvent(new KeyboardEvent('keydown', { ...key, bubbles: true, cancelable: true }));
}

/** Room above a place that the page is scrolled to. */
const ABOVE_PLACE = 12;

/** Scrolls the element around the frame, because the frame is as tall as its text. */
function showPlace(frame: HTMLIFrameElement, top: number): void {
  const pane = scrollerOf(frame);
  const below = frame.getBoundingClientRect().top - pane.getBoundingClientRect().top + top;
  pane.scrollBy({ top: below - ABOVE_PLACE });
}

/** The nearest element around it that scrolls. */
function scrollerOf(element: Element): Element {
  for (let around = element.parentElement; around; around = around.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(around).overflowY)) return around;
  }
  return document.documentElement;
}
