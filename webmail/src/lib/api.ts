import type { Endpoint, Envelope, Pagination } from '@selvage/core/contracts/endpoint';
import type { z } from 'zod';
import { ApiError } from './api-error.ts';
import { bodyOf, networkError } from './http.ts';
import { type RawAnswer, toFormData, upload } from './multipart.ts';
import { currentUserKey, queryClient } from './query-client.ts';
import { freshToken } from './refresh.ts';
import { noteServerTime } from './server-clock.ts';
import { endSession, readTokens } from './session.ts';

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
const MAX_REFUSED = 3;
const DEFAULT_RETRY_AFTER_S = 5;
/** Longer waits than this are told to the person instead of being sat through. */
const MAX_RETRY_AFTER_S = 30;
const MAX_THROTTLED = 5;
const TOO_MANY = 'Too many retries. Please log in again.';

/** Calls the API as its contract says and gives `data` (the whole body for flat answers). */
export async function api<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  endpoint: Endpoint<P, Q, B, R>,
  options: CallOptions<P, Q, B>,
): Promise<z.output<R>> {
  const body = await call<Envelope<z.output<R>>>(endpoint, options);
  return (endpoint.flat ? body : body.data) as z.output<R>;
}

/** As `api`, for calls that answer with nothing but a sentence for the reader. */
export async function apiMessage<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  endpoint: Endpoint<P, Q, B, R>,
  options: CallOptions<P, Q, B>,
): Promise<string> {
  return (await call<Envelope<unknown>>(endpoint, options)).message;
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
  let token = options.token ?? (await tokenFor(endpoint));
  let answer = await sendPatiently(endpoint, options, token);
  for (let round = 1; answer.status === 401 && token && !options.token; round += 1) {
    if (round > MAX_REFUSED) throw tooManyRetries();
    token = await freshToken(token);
    answer = await sendPatiently(endpoint, options, token);
    // what was refused may be about what the person may do: their permissions are asked for again
    if (answer.status < 400) void queryClient.invalidateQueries({ queryKey: currentUserKey });
  }
  return read<T>(answer);
}

/** A call of a waiting sign-in carries no token: the cookie of this browser stands for it, and a token would count first. */
async function tokenFor({ needs }: Endpoint): Promise<string | null> {
  if (needs === 'public' || (needs === 'second-step' && !readTokens())) return null;
  return await freshToken();
}

function tooManyRetries(): ApiError {
  endSession(TOO_MANY);
  return new ApiError(TOO_MANY, { status: 401, code: 'too_many_retries' });
}

function read<T>({ status, text }: RawAnswer): T {
  try {
    return bodyOf<T>(status, text);
  } catch (error) {
    // whoever has to change their password first is asked to at once, wherever they are
    if (error instanceof ApiError && error.code === 'password_change_required') {
      void queryClient.invalidateQueries({ queryKey: currentUserKey });
    }
    throw error;
  }
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
    const form = toFormData(options.body ?? {}, options.files ?? [], endpoint.fileField);
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
  const askedAt = Date.now();
  try {
    const response = await fetch(url, {
      method: endpoint.method,
      headers,
      body: options.body ? JSON.stringify(options.body) : null,
      signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
    });
    noteServerTime(response.headers.get('date'), askedAt);
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
