import { type HTMLAttributes, useEffect, useRef } from 'react';

/** Tells when the person begins to be at work in the list, and when that ends. */
export function useBusy(onBusy: (isBusy: boolean) => void): HTMLAttributes<HTMLElement> {
  const busy = useRef({ isHovered: false, isScrolled: false });
  // A list that is unmounted under the pointer gets no leave event
  useEffect(() => () => onBusy(false), [onBusy]);
  const note = (change: Partial<typeof busy.current>): void => {
    const { isHovered, isScrolled } = busy.current;
    const next = { isHovered, isScrolled, ...change };
    if (next.isHovered === isHovered && next.isScrolled === isScrolled) return;
    busy.current = next;
    onBusy(next.isHovered || next.isScrolled);
  };
  return {
    onScroll: ({ currentTarget }) => note({ isScrolled: currentTarget.scrollTop > 0 }),
    // A pane that appears under the pointer gets no enter event
    onPointerMove: ({ pointerType }) => pointerType === 'mouse' && note({ isHovered: true }),
    onPointerLeave: () => note({ isHovered: false }),
  };
}
