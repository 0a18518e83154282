import type { Conflict } from './contracts/endpoint.ts';

/** What a failure needs beyond its code. */
interface AppErrorDetails {
  code: string;
  status: number;
  /** Shown to the person; never holds a cause, another person's id or a secret. */
  publicText: string;
  /** What the log says; the public text unless given. */
  message?: string;
  fields?: Record<string, string>;
  headers?: Record<string, string>;
  conflict?: Conflict;
  ids?: Record<string, string>;
  cause?: unknown;
}

/**
 * An expected failure: thrown early, mapped once at the edge (HTTP answer, SMTP reply, job result).
 */
export class AppError extends Error {
  readonly code: string;
  readonly status: number;
  readonly publicText: string;
  /** Validation problems by field name. */
  readonly fields: Record<string, string> | undefined;
  /** Headers the HTTP answer carries. */
  readonly headers: Record<string, string> | undefined;
  /** Set for a change that started from an older version of its record. */
  readonly conflict: Conflict | undefined;
  /** Ids of records with which the caller can go on, by their names in the answer. */
  readonly ids: Record<string, string> | undefined;

  constructor(details: AppErrorDetails) {
    super(details.message ?? details.publicText, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'AppError';
    this.code = details.code;
    this.status = details.status;
    this.publicText = details.publicText;
    this.fields = details.fields;
    this.headers = details.headers;
    this.conflict = details.conflict;
    this.ids = details.ids;
  }
}

/** The request can't be understood: 400. */
export function badRequest(publicText: string, code = 'bad_request'): AppError {
  return new AppError({ status: 400, code, publicText });
}

/** The caller is not logged in, or the login failed: 401. */
export function unauthorized(publicText = 'Please log in.', code = 'unauthorized'): AppError {
  return new AppError({ status: 401, code, publicText });
}

/** Logged in, but not allowed: 403. */
export function forbidden(publicText = 'You are not allowed to do this.', code = 'forbidden'): AppError {
  return new AppError({ status: 403, code, publicText });
}

/** Missing, or another tenant's: the same 404 for both, so that an answer never tells which. */
export function notFound(what = 'record', publicText?: string): AppError {
  const code = `${what.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')}_not_found`;
  const subject = what.charAt(0).toUpperCase() + what.slice(1);
  return new AppError({ status: 404, code, publicText: publicText ?? `${subject} not found.` });
}

/** The present state of the record does not allow it: 409. */
export function conflict(publicText: string, code = 'conflict', fields?: Record<string, string>): AppError {
  return new AppError({ status: 409, code, publicText, fields });
}

/** More bytes, files or recipients than the host takes: 413. */
export function tooLarge(publicText = 'This is too large.', code = 'too_large'): AppError {
  return new AppError({ status: 413, code, publicText });
}

/** A body or file of a type that the call does not take: 415. */
export function unsupportedMedia(publicText = 'This type of content is not supported.'): AppError {
  return new AppError({ status: 415, code: 'unsupported_media', publicText });
}

/** The request is understood, but some fields are wrong: 422 with the fields named. */
export function invalid(fields: Record<string, string>, publicText = 'Please check the marked fields.'): AppError {
  const problems = Object.entries(fields).map(([field, problem]) => `${field}: ${problem}`);
  return new AppError({ status: 422, code: 'invalid', publicText, fields, message: `invalid: ${problems.join('; ')}` });
}

/** The caller makes too many requests: 429 with Retry-After. */
export function tooMany(retryAfterSeconds: number, publicText = 'Too many attempts. Please wait a moment.'): AppError {
  const seconds = Math.max(1, Math.ceil(retryAfterSeconds));
  return new AppError({
    status: 429,
    code: 'too_many_requests',
    publicText,
    headers: { 'Retry-After': String(seconds) },
  });
}

/**
 * More is asked of the host than it can do in time. What was asked for was not begun, so it may be
 * repeated.
 */
export function tooBusy(
  publicText = 'The server is very busy. Please try again in a moment.',
  message = publicText,
): AppError {
  return new AppError({ status: 503, code: 'too_busy', publicText, message, headers: { 'Retry-After': '5' } });
}

/**
 * The database, Redis or the disk is away or full: 503 to HTTP, 451 to SMTP. Asking again later
 * helps.
 */
export function unavailable(message = 'a dependency is unavailable', cause?: unknown): AppError {
  return new AppError({
    status: 503,
    code: 'unavailable',
    publicText: 'The service is unavailable for a moment. Please try again.',
    message,
    cause,
    headers: { 'Retry-After': '5' },
  });
}

const contentLostCode = 'content_lost';

/** The stored bytes of a message or of a file are missing or were changed: 410. */
export function contentLost(message = 'stored bytes are missing or damaged', cause?: unknown): AppError {
  const publicText = 'The content is missing or damaged on the server. Please tell your administrator.';
  return new AppError({ status: 410, code: contentLostCode, publicText, message, cause });
}

/** Says whether an error is that of `contentLost`, also when it comes out of a thread. */
export function isContentLost(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === contentLostCode;
}

/**
 * Says whether the disk is damaged where it was read. Its other errors, such as ESTALE, end when
 * the operator repairs it. EIO rarely does.
 */
export function isDiskDamaged(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EIO';
}

/** The message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
