/**
 * Gives the result of some work, or rejects when it takes longer. The work itself goes on to its
 * end.
 * @param late makes the error of a work that is too slow
 */
export function withDeadline<T>(
  work: Promise<T>,
  limitMs: number,
  late: () => Error = () => new Error(`no result within ${limitMs} ms`),
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), limitMs);
    work.then(
      (result) => {
        clearTimeout(timer);
        resolve(result);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
