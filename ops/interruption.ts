import { OperatorError } from '@selvage/core/operator-error';

/**
 * Aborts when this command is interrupted, so that it ends in order. A second signal of the same
 * kind ends it at once.
 */
export function interruption(): AbortSignal {
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(name, () => stopping.abort(new OperatorError('interrupted')));
  }
  return stopping.signal;
}
