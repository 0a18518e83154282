import { ApiError } from '../../lib/api-error.ts';

/** The server's words for a call that failed, or the given ones where it had none. */
export function failureOf(error: unknown, fallback: string): string {
  return (error instanceof ApiError && error.message) || fallback;
}
