const { promise, resolve } = Promise.withResolvers<void>();

/** Settles when the first screen is on the page. What can wait is not fetched before. */
export const firstScreen = promise;

export function markFirstScreen(): void {
  resolve();
}
