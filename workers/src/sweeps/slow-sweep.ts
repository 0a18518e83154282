import type { Ctx } from '@selvage/core/context/context';
import type { NextStep, SweepName } from '@selvage/core/sweeps/take-step';

/** A sweep in steps. At any time, only one of all processes runs a step. */
export interface SlowSweep {
  name: SweepName;
  /**
   * How long a pass takes if its work is spread, else the pause after it. No step asks for a longer
   * pause.
   */
  passMs: number;
  step: (ctx: Ctx, position: string, signal: AbortSignal) => Promise<NextStep>;
  /**
   * The position after another one, for a step that failed and is passed over. A sweep over rows
   * has no such function: it begins again, or tries the step again if the database failed.
   */
  next?: (position: string) => string;
  /**
   * The sweep runs once and must leave nothing out: a step that fails is repeated a minute later.
   */
  isOnce?: boolean;
}

/**
 * Makes a function that returns the position after another one in a list, and the first one after
 * the last.
 */
export function nextOf(places: readonly string[]): (position: string) => string {
  return (position) => places[(places.indexOf(position) + 1) % places.length] ?? '';
}
