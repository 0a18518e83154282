import type { ImportDto } from '@selvage/core/contracts/many-users';
import { ApiError } from '../../lib/api-error.ts';

const ASK_AGAIN_AFTER_MS = 2_000;

/**
 * Makes the call of an import. When its answer is lost, makes it once more, and waits while the
 * first is still running: the server adds each person once under the same id, and keeps the answer.
 */
export async function importOnce(send: () => Promise<ImportDto>): Promise<ImportDto> {
  for (let isLost = false; ; ) {
    try {
      return await send();
    } catch (error) {
      if (isAnswerLost(error) && !isLost) isLost = true;
      else if (!isRunning(error)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_AFTER_MS));
  }
}

/** True when a call may have been done: no answer came, or a proxy answered for the server. */
export function isAnswerLost(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status === 0 || error.code === null || error.code === 'timeout';
}

function isRunning(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'import_running';
}
