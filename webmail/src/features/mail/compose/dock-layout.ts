/** Widths in pixels: of a window, of a window folded to a bar, and of the gap between two. */
export const dockSizes = { window: 560, bar: 180, gap: 12, edge: 24 } as const;

const MOST_OPEN = 4;

interface Docked {
  key: string;
  isMinimised: boolean;
  /** Grows with each use. */
  usedAt: number;
}

/**
 * Chooses the windows that stay open: the last used ones, as many as fit on the screen. The others
 * become bars. At least one stays open, however narrow the screen is.
 */
export function openWindows(windows: readonly Docked[], screenWidth: number): ReadonlySet<string> {
  const wanted = windows.filter(({ isMinimised }) => !isMinimised).toSorted((one, other) => other.usedAt - one.usedAt);
  const room = screenWidth - 2 * dockSizes.edge + dockSizes.gap;
  const fits = (open: number): boolean => {
    const bars = windows.length - open;
    return open * (dockSizes.window + dockSizes.gap) + bars * (dockSizes.bar + dockSizes.gap) <= room;
  };
  let open = Math.min(1, wanted.length);
  while (open < Math.min(MOST_OPEN, wanted.length) && fits(open + 1)) open += 1;
  return new Set(wanted.slice(0, open).map(({ key }) => key));
}
