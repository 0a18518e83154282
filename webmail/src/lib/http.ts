import { ApiError, type Conflict, messageForStatus } from './api-error.ts';

interface FailureBody {
  success?: boolean;
  message?: string;
  code?: string;
  errors?: Record<string, string>;
  conflict?: Conflict;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // a proxy's HTML page, or nothing at all: the status has to speak
    return null;
  }
}

/** Turns an answer into its body, or into the error that it tells of. */
export function bodyOf<T>(status: number, text: string): T {
  const body = parse(text) as (T & FailureBody) | null;
  const isFine = status >= 200 && status < 300;
  if (isFine && body !== null) return body;
  throw new ApiError(body?.message || messageForStatus(isFine ? 502 : status), {
    status: isFine ? 502 : status,
    ...(body?.code ? { code: body.code } : {}),
    ...(body?.errors ? { fields: body.errors } : {}),
    ...(body?.conflict ? { conflict: body.conflict } : {}),
  });
}

export async function readJson<T>(response: Response): Promise<T> {
  return bodyOf<T>(response.status, await response.text());
}

const UNREACHABLE = 'The server could not be reached. Check your connection and try again.';

/** Words for a request that got no answer at all. */
export function networkError(error: unknown): Error {
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return new ApiError('The server took too long to answer. Try again.', { status: 0, code: 'timeout' });
  }
  if (error instanceof TypeError) return new ApiError(UNREACHABLE, { status: 0, code: 'unreachable' });
  return error instanceof Error ? error : new ApiError(UNREACHABLE, { status: 0, code: 'unreachable' });
}
