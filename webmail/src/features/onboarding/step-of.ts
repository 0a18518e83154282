/** The steps of the setup by their numbers, as they stand in the address. */
export const stepNumbers = [1, 2, 3, 4] as const;
export type StepNumber = (typeof stepNumbers)[number];

/** Which steps have nothing left to save, as the server knows it. */
export type StepsDone = Record<1 | 2 | 3, boolean>;

/** The step that an address asks for, clamped to 1..4; null when it asks for none. */
function askedStep(text: string | null): StepNumber | null {
  if (text === null || !/^[+-]?\d+(?:\.\d+)?$/.test(text)) return null;
  return Math.min(Math.max(Math.trunc(Number(text)), 1), 4) as StepNumber;
}

/** The last step that can be opened. The third one may be skipped, so it holds nothing up. */
export function reachedStep(done: StepsDone): StepNumber {
  if (!done[1]) return 1;
  return done[2] ? 4 : 2;
}

/**
 * The step to show for the `step` of an address. Without a number in it, a person goes on where
 * there is something left to do. A step whose turn has not come leads to the one before it.
 */
export function stepToShow(text: string | null, done: StepsDone): StepNumber {
  const next = ([1, 2, 3] as const).find((step) => !done[step]) ?? 4;
  return Math.min(askedStep(text) ?? next, reachedStep(done)) as StepNumber;
}
