/**
 * Gives the result of some work, or rejects when it takes longer. The work itself goes on to its
 * end.
 * @param late makes the error of a work that is too slow
 */
export async function withDeadline<T>(
  work: Promise<T>,
  limitMs: number,
  late: () => Error = () => new Error(`no result within ${limitMs} ms`),
): Promise<T> {
  const limit = Promise.withResolvers<never>();
  const timer = setTimeout(() => limit.reject(late()), limitMs);
  try {
    return await Promise.race([work, limit.promise]);
  } finally {
    clearTimeout(timer);
  }
}
