const letters = ['', ...'abcdefghijklmnopqrstuvwxyz'];

/** A name for a new key: its year and month, such as `s202611`, with a letter where it is taken. */
export function newSelector(taken: readonly string[], now: Date): string {
  const month = `s${now.getFullYear()}${String(now.getMonth() + 1).padStart(2, '0')}`;
  const free = letters.map((letter) => month + letter).find((name) => !taken.includes(name));
  return free ?? `${month}-${taken.length}`;
}
