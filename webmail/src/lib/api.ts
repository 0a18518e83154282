import type { Endpoint, Envelope, Pagination } from '@selvage/core/contracts/endpoint';
import type { z } from 'zod';
import { ApiError } from './api-error.ts';
import { bodyOf, networkError } from './http.ts';
import { type RawAnswer, toFormData, upload } from './multipart.ts';
import { freshToken } from './refresh.ts';
import { endSession } from './session.ts';

type Input<S extends z.ZodType> = z.input<S>;
type Part<N extends string, S extends z.ZodType> = Input<S> extends undefined ? unknown : { [K in N]: Input<S> };

export interface CallExtras {
  signal?: AbortSignal;
  /** Files of a multipart call. */
  files?: File[];
  /** Share of the upload done, 0 to 1. */
  onProgress?: (share: number) => void;
  /** A token other than the stored one: that of a sign-in that waits for its second step. */
  token?: string;
}

export type CallOptions<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = Part<'params', P> &
  Part<'query', Q> &
  Part<'body', B> &
  CallExtras;

interface LooseOptions extends CallExtras {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: Record<string, unknown>;
}

const TIMEOUT_MS = 30_000;
const MAX_UNAUTHORIZED = 3;
const DEFAULT_RETRY_AFTER_S = 5;
/** Longer waits than this are told to the person instead of being sat through. */
const MAX_RETRY_AFTER_S = 30;
const MAX_THROTTLED = 5;
const TOO_MANY = 'Too many retries. Please log in again.';

let unauthorizedInARow = 0;

/** Calls the API as its contract says and gives `data` (the whole body for flat answers). */
export async function api<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  endpoint: Endpoint<P, Q, B, R>,
  options: CallOptions<P, Q, B>,
): Promise<z.output<R>> {
  const body = await call<Envelope<z.output<R>>>(endpoint, options);
  return (endpoint.flat ? body : body.data) as z.output<R>;
}

/** As `api`, for lists: the rows and where they stand. */
export async function apiPage<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  endpoint: Endpoint<P, Q, B, R>,
  options: CallOptions<P, Q, B>,
): Promise<{ rows: z.output<R>; pagination: Pagination }> {
  const body = await call<Envelope<z.output<R>>>(endpoint, options);
  if (body.data === undefined || !body.pagination) throw new ApiError('An error occurred', { status: 502 });
  return { rows: body.data, pagination: body.pagination };
}

async function call<T>(endpoint: Endpoint, options: LooseOptions): Promise<T> {
  let token = options.token ?? (endpoint.needs === 'public' ? null : await freshToken());
  let answer = await sendPatiently(endpoint, options, token);
  if (answer.status === 401 && token && !options.token) {
    countUnauthorized();
    token = await freshToken(token);
    answer = await sendPatiently(endpoint, options, token);
    if (answer.status === 401) {
      countUnauthorized();
      endSession('Session expired. Please log in again.');
    }
  }
  if (answer.status < 400) unauthorizedInARow = 0;
  return bodyOf<T>(answer.status, answer.text);
}

function countUnauthorized(): void {
  unauthorizedInARow += 1;
  if (unauthorizedInARow <= MAX_UNAUTHORIZED) return;
  unauthorizedInARow = 0;
  endSession(TOO_MANY);
  throw new ApiError(TOO_MANY, { status: 401, code: 'too_many_retries' });
}

/** Waits and repeats when the server asks for it (429). */
async function sendPatiently(endpoint: Endpoint, options: LooseOptions, token: string | null): Promise<RawAnswer> {
  for (let round = 0; ; round += 1) {
    const answer = await send(endpoint, options, token);
    if (answer.status !== 429 || round >= MAX_THROTTLED) return answer;
    const seconds = secondsOf(answer.retryAfter);
    if (seconds > MAX_RETRY_AFTER_S) return answer;
    await pause(seconds * 1000, options.signal);
  }
}

export function secondsOf(retryAfter: string | null, now = Date.now()): number {
  if (!retryAfter) return DEFAULT_RETRY_AFTER_S;
  const seconds = Number(retryAfter);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? DEFAULT_RETRY_AFTER_S : Math.max(0, (date - now) / 1000);
}

function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new DOMException('Aborted', 'AbortError'));
    });
  });
}

async function send(endpoint: Endpoint, options: LooseOptions, token: string | null): Promise<RawAnswer> {
  const url = urlOf(endpoint, options);
  if (endpoint.bodyKind === 'multipart') {
    const form = toFormData(options.body ?? {}, options.files ?? []);
    return upload({
      method: endpoint.method,
      url,
      token,
      form,
      onProgress: options.onProgress,
      signal: options.signal,
    });
  }
  const headers: Record<string, string> = { accept: 'application/json' };
  if (token) headers['authorization'] = `Bearer ${token}`;
  if (options.body) headers['content-type'] = 'application/json';
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(url, {
      method: endpoint.method,
      headers,
      body: options.body ? JSON.stringify(options.body) : null,
      signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
    });
    const text = response.status === 204 ? '{"success":true,"message":""}' : await response.text();
    return { status: response.status, text, retryAfter: response.headers.get('retry-after') };
  } catch (error) {
    throw networkError(error);
  }
}

export function urlOf(endpoint: Pick<Endpoint, 'path'>, options: Pick<LooseOptions, 'params' | 'query'>): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_match, name: string) =>
    encodeURIComponent(String(options.params?.[name] ?? '')),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(options.query ?? {})) {
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value));
  }
  return `/api/v1${path}${query.size > 0 ? `?${query}` : ''}`;
}
