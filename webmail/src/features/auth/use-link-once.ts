import { useRef } from 'react';
import { ApiError } from '../../lib/api-error.ts';

/**
 * Makes a call that uses a mailed link up. When the answer of one try was lost, the next one finds
 * the link used: most likely the first has done it.
 * @returns what the call answers, or `used` in that case
 */
export function useLinkOnce<A extends unknown[]>(
  call: (...given: A) => Promise<string>,
  used: string,
): (...given: A) => Promise<string> {
  const wasLost = useRef(false);
  return async (...given) => {
    try {
      return await call(...given);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (wasLost.current && error.code === 'link_invalid') return used;
      if (error.status === 0 || error.status >= 500) wasLost.current = true;
      throw error;
    }
  };
}
