const { promise, resolve } = Promise.withResolvers<void>();

/** Settles when the first screen stands on the page. Nothing that can wait is fetched before. */
export const firstScreen = promise;

export function markFirstScreen(): void {
  resolve();
}
