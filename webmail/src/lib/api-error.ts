import { errorWords } from '../words/errors.ts';
import { wordsOf } from './i18n.ts';

/** The details of a 409, when another person or another tab has saved the record meanwhile. */
export interface Conflict {
  /** The name of the person who saved it last; null when it is not known. */
  by: string | null;
  /** ISO 8601. */
  at: string;
  /** Fields whose stored value is no longer the one that the form began with. */
  fields: string[];
  /** The record as it is now, in the shape of the contract's answer. */
  current: unknown;
}

interface Details {
  status: number;
  code?: string;
  fields?: Record<string, string>;
  conflict?: Conflict;
  ids?: Record<string, string>;
}

/** A failed call, in words that can be shown to the person as they are. */
export class ApiError extends Error {
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** The server's code, as listed in ops/docs/ERROR-CODES.md. */
  readonly code: string | null;
  /** Problems by field. */
  readonly fields: Record<string, string>;
  readonly conflict: Conflict | null;
  /** Ids of records to go on with, by the server's names for them. */
  readonly ids: Record<string, string>;

  constructor(message: string, { status, code, fields, conflict, ids }: Details) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code ?? null;
    this.fields = fields ?? {};
    this.conflict = conflict ?? null;
    this.ids = ids ?? {};
  }
}

/**
 * The sentence to show for any error. Errors of the browser itself get a general one, since their
 * words are for programmers.
 */
export function messageOf(error: unknown): string {
  const isOurs = error instanceof ApiError || (error instanceof Error && error.constructor === Error);
  return (isOurs && error.message) || wordsOf(errorWords).generic;
}

/**
 * What to say of a failed call. An answer that the server meant for the person says it best. A
 * failure of the server, or no answer at all, gives a reason but not what failed: `fallback` does.
 */
export function failureMessage(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError)) return fallback;
  const isMeant = error.status >= 400 && error.status < 500;
  return isMeant && error.message ? error.message : `${fallback.replace(/\.$/, '')}. ${error.message}`.trim();
}

/** The sentence for a status when the server gave none. */
export function messageForStatus(status: number): string {
  const t = wordsOf(errorWords);
  switch (status) {
    case 403:
      return t.forbidden;
    case 404:
      return t.gone;
    case 413:
      return t.tooLarge;
    case 500:
      return t.internal;
    case 502:
    case 504:
      return t.starting;
    case 503:
      return t.busy;
    default:
      return t.generic;
  }
}
