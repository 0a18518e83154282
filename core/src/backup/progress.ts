/** Tells the operator about the progress. */
export interface Progress {
  /** A step has begun or ended: a line that stays. */
  say(line: string): void;
  /** How far a step is; called often. */
  at(what: string, done: number, total?: number): void;
}

/** Bytes for people: `12.3 MB`. */
export function readableBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit += 1) value /= 1000;
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
