import type { AppError } from '@selvage/core/errors';

/** Gives up waiting after a while. The work itself goes on to its end, so what it writes stays whole. */
export async function withDeadline<T>(milliseconds: number, late: () => AppError, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), milliseconds);
  });
  try {
    return await Promise.race([work(), limit]);
  } finally {
    clearTimeout(timer);
  }
}
