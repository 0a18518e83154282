import { getCurrentUser } from '@selvage/core/contracts/auth';
import type { Endpoint, Envelope, Pagination } from '@selvage/core/contracts/endpoint';
import type { z } from 'zod';
import { errorWords } from '../words/errors.ts';
import { ApiError } from './api-error.ts';
import { bodyOf, isFromApi, type RawAnswer } from './http.ts';
import { wordsOf } from './i18n.ts';
import { currentUserKey, queryClient } from './query-client.ts';
import { freshToken } from './refresh.ts';
import { type CallExtras, type LooseOptions, sendPatiently } from './send-request.ts';
import { currentSubject, endSession, readTokens, subjectOf } from './session.ts';

type Input<S extends z.ZodType> = z.input<S>;
type Part<N extends string, S extends z.ZodType> = Input<S> extends undefined ? unknown : { [K in N]: Input<S> };

export type CallOptions<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = Part<'params', P> &
  Part<'query', Q> &
  Part<'body', B> &
  CallExtras;

const MAX_REFUSED = 3;

/**
 * Calls the API as the contract says and returns `data`, or the whole body of a flat answer.
 * @throws {ApiError}
 */
export async function api<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  endpoint: Endpoint<P, Q, B, R>,
  options: CallOptions<P, Q, B>,
): Promise<z.output<R>> {
  const body = await call<Envelope<z.output<R>>>(endpoint, options);
  return (endpoint.flat ? body : body.data) as z.output<R>;
}

/** As `api`, for calls that answer only with a sentence for the person. */
export async function apiMessage<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  endpoint: Endpoint<P, Q, B, R>,
  options: CallOptions<P, Q, B>,
): Promise<string> {
  return (await call<Envelope<unknown>>(endpoint, options)).message;
}

/** As `api`, for lists: the rows and the position of the page. */
export async function apiPage<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  endpoint: Endpoint<P, Q, B, R>,
  options: CallOptions<P, Q, B>,
): Promise<{ rows: z.output<R>; pagination: Pagination }> {
  const body = await call<Envelope<z.output<R>>>(endpoint, options);
  if (body.data !== undefined && body.pagination) return { rows: body.data, pagination: body.pagination };
  throw new ApiError(wordsOf(errorWords).generic, { status: 502 });
}

type Repeat = <T>(refusal: ApiError, callAgain: () => Promise<T>) => Promise<T>;

/** What to do with a refused call. It rethrows the refusal until `repeatWith` sets another way. */
let repeat: Repeat = (refusal) => Promise.reject(refusal);

/**
 * Sets what becomes of a call that is refused until the person has confirmed that it is them. No
 * screen needs it for its first paint, so it comes later.
 */
export function repeatWith(given: Repeat): void {
  repeat = given;
}

async function call<T>(endpoint: Endpoint, options: LooseOptions): Promise<T> {
  // Another person may log in while the token is renewed, or before the call is repeated
  const { as = currentSubject() } = options;
  const callAs = (): Promise<T> => callOnce<T>(endpoint, { ...options, as });
  const answer = await callAs().catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'confirm_first') throw error;
    return repeat(error, callAs);
  });
  // It would be shown to that person as theirs. Callers that name the person look for that
  // themselves, such as one that has sent a message
  if (options.as === undefined && isReplaced(as)) throw expired();
  return answer;
}

/** Whether another person has logged in since. */
function isReplaced(person: string | null): boolean {
  const now = currentSubject();
  return person !== null && now !== null && now !== person;
}

interface OwnOptions extends LooseOptions {
  as: string | null;
}

async function callOnce<T>(endpoint: Endpoint, options: OwnOptions): Promise<T> {
  let token = options.token ?? (await tokenFor(endpoint, options.as));
  let answer = await sendPatiently(endpoint, options, token);
  for (let round = 1; token && !options.token && isRefused(answer); round += 1) {
    if (round > MAX_REFUSED) throw tooManyRetries();
    token = await renewedFor(token);
    answer = await sendPatiently(endpoint, options, token);
    // The refusal may mean that the rights of the person have changed
    if (answer.status < 400) readPersonAnew(endpoint);
  }
  return read<T>(endpoint, answer);
}

/**
 * A call of a waiting login carries no token: its cookie stands for it, and a token would win over
 * the cookie.
 */
async function tokenFor({ needs }: Endpoint, person: string | null): Promise<string | null> {
  if (needs === 'public' || (needs === 'second-step' && !readTokens())) return null;
  return onlyOf(person, await freshToken());
}

/** True when the server refuses the token. A 401 of a proxy has another cause. */
function isRefused(answer: RawAnswer): boolean {
  return answer.status === 401 && isFromApi(answer);
}

/** A new token of the same person. */
async function renewedFor(refused: string): Promise<string> {
  return onlyOf(subjectOf(refused), await freshToken(refused));
}

/**
 * The token, if it is that of the person: a call of one person is never made in the name of another
 * who logs in later.
 */
function onlyOf(person: string | null, token: string): string {
  if (subjectOf(token) === person) return token;
  throw expired();
}

function expired(): ApiError {
  return new ApiError(wordsOf(errorWords).sessionExpired, { status: 401, code: 'session_expired' });
}

function tooManyRetries(): ApiError {
  const text = wordsOf(errorWords).tooManyRetries;
  endSession(text);
  return new ApiError(text, { status: 401, code: 'too_many_retries' });
}

/** Refusals that depend on what the person may do, or has to do first. */
const ABOUT_THE_PERSON = new Set(['forbidden', 'password_change_required', 'two_factor_required']);

function read<T>(endpoint: Endpoint, answer: RawAnswer): T {
  try {
    return bodyOf<T>(answer);
  } catch (error) {
    if (error instanceof ApiError && ABOUT_THE_PERSON.has(error.code ?? '')) readPersonAnew(endpoint);
    throw error;
  }
}

/** Loads the person again, so that navigation and pages follow their present rights (D4). */
function readPersonAnew({ path }: Endpoint): void {
  if (path === getCurrentUser.path) return;
  void queryClient.invalidateQueries({ queryKey: currentUserKey }, { cancelRefetch: false });
}
