/** What a 409 tells of a record that another person, or another tab, has saved meanwhile. */
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
}

/** A failed call, in words that can be shown to the reader as they are. */
export class ApiError extends Error {
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** The server's reason, of ops/docs/ERROR-CODES.md. */
  readonly code: string | null;
  /** Problems by field. */
  readonly fields: Record<string, string>;
  readonly conflict: Conflict | null;

  constructor(message: string, { status, code, fields, conflict }: Details) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code ?? null;
    this.fields = fields ?? {};
    this.conflict = conflict ?? null;
  }
}

/** The sentence to show for anything that was thrown. */
export function messageOf(error: unknown): string {
  if (error instanceof Error && error.message) return error.message;
  return 'An error occurred';
}

const byStatus: Record<number, string> = {
  403: 'You may not do that.',
  404: 'That no longer exists.',
  413: 'That is too large. Take away some of the files and try again.',
  500: 'The server had a problem. Nothing was lost; try again.',
  502: 'The server is starting or out of reach. Try again in a moment.',
  503: 'The server is busy or starting. Try again in a moment.',
};

/** What to say when the server gave no words of its own. */
export function messageForStatus(status: number): string {
  return byStatus[status] ?? 'An error occurred';
}
