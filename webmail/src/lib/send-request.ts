import type { Endpoint } from '@selvage/core/contracts/endpoint';
import { ApiError } from './api-error.ts';
import { reach } from './connection.ts';
import { busyCode, type RawAnswer, request } from './http.ts';
import { loadModule } from './load-module.ts';

export interface CallExtras {
  signal?: AbortSignal;
  /** Files of a multipart call. */
  files?: File[];
  /** Share of the upload done, 0 to 1. */
  onProgress?: (share: number) => void;
  /** A token other than the stored one: that of a login that met the session limit. */
  token?: string;
  /**
   * The id of the person whose call it is, where another one may have logged in since they asked
   * for it; by default that of the person who is logged in when the call begins. Null where no
   * person was logged in: then no call is made.
   */
  as?: string | null;
  /** The call goes on when the page is left. */
  keepalive?: boolean;
}

export interface LooseOptions extends CallExtras {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: Record<string, unknown>;
}

const TIMEOUT_MS = 30_000;
/**
 * A small change is finished by the browser even when the page is closed or left right after it.
 * Browsers allow 64 KiB for all such calls together.
 */
const MAX_KEPT_ALIVE_BYTES = 8_192;
const DEFAULT_RETRY_AFTER_S = 5;
/** A longer wait than this is shown to the person instead of being waited out. */
const MAX_RETRY_AFTER_S = 30;
const MAX_THROTTLED = 5;
const MAX_BUSY = 2;
/** Reading changes nothing, so it is tried again when no server answered. */
const READ_AGAIN_AFTER_MS = [500, 1_500] as const;
const NO_SERVER = new Set([0, 502, 503, 504]);

/**
 * Sends a call. Waits and repeats when the server asks for it (429), and a GET also when the server
 * is busy or no server answered.
 */
export async function sendPatiently(
  endpoint: Endpoint,
  options: LooseOptions,
  token: string | null,
): Promise<RawAnswer> {
  let failed = 0;
  for (let throttled = 0; ; ) {
    const outcome = await attempt(endpoint, options, token);
    const wait = 'answer' in outcome ? waitOf(endpoint, outcome.answer, throttled) : null;
    const again = endpoint.method === 'GET' && isWithoutServer(outcome) ? READ_AGAIN_AFTER_MS[failed] : undefined;
    if (wait !== null) throttled += 1;
    else if (again !== undefined && reach.get() === 'up') failed += 1;
    else if ('answer' in outcome) return outcome.answer;
    else throw outcome.error;
    await pause(wait ?? again ?? 0, options.signal);
  }
}

type Outcome = { answer: RawAnswer } | { error: unknown };

async function attempt(endpoint: Endpoint, options: LooseOptions, token: string | null): Promise<Outcome> {
  try {
    return { answer: await send(endpoint, options, token) };
  } catch (error) {
    return { error };
  }
}

/**
 * True when no server answered. A call that took too long is not repeated: the person has waited
 * for it once.
 */
function isWithoutServer(outcome: Outcome): boolean {
  if ('answer' in outcome) return NO_SERVER.has(outcome.answer.status) && !busyCode(outcome.answer);
  return outcome.error instanceof ApiError && outcome.error.code === 'unreachable';
}

/** How long to wait until the call is repeated; null when it is not. */
function waitOf({ method }: Endpoint, answer: RawAnswer, throttled: number): number | null {
  // `too_busy` and `too_much_at_once`. After a `timeout`, the person has waited long enough
  const isBusy = method === 'GET' && busyCode(answer)?.startsWith('too_');
  if (answer.status !== 429 && !isBusy) return null;
  const seconds = secondsOf(answer.retryAfter);
  if (seconds > MAX_RETRY_AFTER_S || throttled >= (isBusy ? MAX_BUSY : MAX_THROTTLED)) return null;
  // Many browsers meet a busy server at once. They should not all ask again at once
  return seconds * (1000 + 250 * Math.random());
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
    const giveUp = (): void => {
      clearTimeout(timer);
      reject(new DOMException('Aborted', 'AbortError'));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', giveUp, { once: true });
    if (signal?.aborted) giveUp();
  });
}

async function send(endpoint: Endpoint, options: LooseOptions, token: string | null): Promise<RawAnswer> {
  const url = urlOf(endpoint, options);
  const { method } = endpoint;
  if (endpoint.bodyKind === 'multipart') {
    const { toFormData, upload } = await loadModule(() => import('./multipart.ts'));
    const form = toFormData(options.body ?? {}, options.files ?? [], endpoint.fileField);
    return await upload({ method, url, token, form, onProgress: options.onProgress, signal: options.signal });
  }
  const headers: Record<string, string> = { accept: 'application/json' };
  if (token) headers['authorization'] = `Bearer ${token}`;
  if (options.body) headers['content-type'] = 'application/json';
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const body = options.body ? JSON.stringify(options.body) : null;
  const isChange = method !== 'GET';
  const init = {
    method,
    headers,
    body,
    signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
    keepalive: options.keepalive ?? (isChange && (body?.length ?? 0) <= MAX_KEPT_ALIVE_BYTES),
  };
  // What needs no login, such as to log in, does no harm when a person tries it again
  return request(url, init, isChange && token !== null);
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
