import { errorWords } from '../words/errors.ts';
import { ApiError, type Conflict, messageForStatus } from './api-error.ts';
import { isSurelyOffline, noteAnswer } from './connection.ts';
import { wordsOf } from './i18n.ts';
import { noteServerTime } from './server-clock.ts';
import { noteVersion, webVersionHeader } from './web-version.ts';

interface FailureBody {
  success?: boolean;
  message?: string;
  code?: string;
  errors?: Record<string, string>;
  conflict?: Conflict;
  ids?: Record<string, string>;
}

/** An answer as it came, from the API or from a proxy. */
export interface RawAnswer {
  status: number;
  text: string;
  retryAfter: string | null;
}

const NO_CONTENT = '{"success":true,"message":""}';

/**
 * Makes a request, and notes what it tells about the server. `isChange` is true when making it
 * twice could change something twice.
 * @throws {ApiError} with the status 0 when there is no answer
 */
export async function request(url: string, init: RequestInit, isChange = false): Promise<RawAnswer> {
  const askedAt = Date.now();
  try {
    const response = await fetch(url, init);
    noteServerTime(response.headers.get('date'), askedAt);
    const text = response.status === 204 ? NO_CONTENT : await response.text();
    const answer = { status: response.status, text, retryAfter: response.headers.get('retry-after') };
    noteAnswer(answer.status, busyCode(answer));
    noteVersion(response.headers.get(webVersionHeader));
    return answer;
  } catch (error) {
    throw noteNetworkError(error, isChange);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The HTML page of a proxy, or nothing at all: only the status tells something
    return null;
  }
}

/**
 * Whether an answer comes from the API itself, rather than from a proxy or a network's login page.
 */
export function isFromApi({ text }: Pick<RawAnswer, 'text'>): boolean {
  const body = parse(text);
  return typeof body === 'object' && body !== null && 'success' in body;
}

/**
 * The code of a 503 from an API that works, such as `too_busy`. A proxy gives none, and an API that
 * can't work, for example without its database, gives `service_unavailable` or `unavailable`.
 */
export function busyCode({ status, text }: Pick<RawAnswer, 'status' | 'text'>): string | undefined {
  return status === 503 ? /"code":"(?!(?:service_)?unavailable")(\w+)"/.exec(text)?.[1] : undefined;
}

/** Returns the body of an answer, or throws the error that it describes. */
export function bodyOf<T>({ status, text }: Pick<RawAnswer, 'status' | 'text'>): T {
  const body = parse(text) as (T & FailureBody) | null;
  const isFine = status >= 200 && status < 300;
  if (isFine && body !== null) return body;
  throw new ApiError(body?.message || messageForStatus(isFine ? 502 : status), {
    status: isFine ? 502 : status,
    ...(body?.code ? { code: body.code } : {}),
    ...(body?.errors ? { fields: body.errors } : {}),
    ...(body?.conflict ? { conflict: body.conflict } : {}),
    ...(body?.ids ? { ids: body.ids } : {}),
  });
}

/**
 * Notes that the server gave no answer, and returns the error for it. A cancelled request says
 * nothing about the server, so it is not noted. A change may have been made although no answer
 * came.
 */
export function noteNetworkError(error: unknown, isChange = false): Error {
  if (error instanceof DOMException && error.name === 'AbortError') return error;
  noteAnswer(0);
  const t = wordsOf(errorWords);
  const code = error instanceof DOMException && error.name === 'TimeoutError' ? 'timeout' : 'unreachable';
  return new ApiError(isChange && !isSurelyOffline() ? t.unanswered : t[code], { status: 0, code });
}
