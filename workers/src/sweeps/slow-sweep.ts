import type { Ctx } from '@selvage/core/context/context';
import type { NextStep, SweepName } from '@selvage/core/sweeps/take-step';

/** A sweep in steps, of which one process at a time takes one. */
export interface SlowSweep {
  name: SweepName;
  /** How long one pass over everything takes. */
  passMs: number;
  step: (ctx: Ctx, position: string, signal: AbortSignal) => Promise<NextStep>;
  /**
   * The place after another, for a step that failed and is passed over. A walk over rows has none:
   * it begins again.
   */
  next?: (position: string) => string;
  /**
   * The walk is made once and must leave nothing out: a step that fails is repeated a minute later.
   */
  isOnce?: boolean;
}

/** The place after another of a list; the first one after the last. */
export function nextOf(places: readonly string[]): (position: string) => string {
  return (position) => places[(places.indexOf(position) + 1) % places.length] ?? '';
}
