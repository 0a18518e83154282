/** A failed call, in words that can be shown to the reader as they are. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string | null;
  readonly fields: Record<string, string>;

  constructor(message: string, details: { status: number; code?: string; fields?: Record<string, string> }) {
    super(message);
    this.name = 'ApiError';
    this.status = details.status;
    this.code = details.code ?? null;
    this.fields = details.fields ?? {};
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
