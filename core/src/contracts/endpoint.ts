import { z } from 'zod';
import type { ListFacts } from './list.ts';
import type { ModelName, PermissionAction } from './permissions.ts';

/**
 * The callers that may make a call. The server checks it before the handler runs, and the
 * authorisation tests check it for each call; the console only hides.
 * - `public`: any caller, logged in or not.
 * - `pending`: a person whose login met the session limit, or any logged-in person.
 * - `second-step`: a browser whose login waits for its second step (D10), or any logged-in
 *   person.
 * - `self`: any logged-in person, for their own records.
 * - `host-super-admin`: a Super Admin of the provider, whatever flags other people hold.
 * - `{ model, action }`: a logged-in person whose effective permission has this flag, within their
 *   scope. With `own`, a call whose `:id` is the caller's needs that flag instead; with
 *   `isLeftToService`, its service asks for it, since not all that the call does needs it. With
 *   `or`, a caller who holds either flag may make the call, and its service asks for the one that
 *   it needs for what the call does.
 */
export type Needs =
  | 'public'
  | 'pending'
  | 'second-step'
  | 'self'
  | 'host-super-admin'
  | (NeededFlag & { own?: NeededFlag & { isLeftToService?: true }; or?: NeededFlag });

/** A flag of the permission matrix that a call asks for. */
export interface NeededFlag {
  model: ModelName;
  action: PermissionAction;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * The form of a request body: JSON, or multipart/form-data with text fields that match `body` and
 * files in `fileField`.
 */
type BodyKind = 'json' | 'multipart';

/**
 * One HTTP call, described once: its route, validation, permission check, client types and API
 * document come from it.
 */
export interface Endpoint<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> {
  method: Method;
  /** Path below /api/v1 in Koa's form, e.g. `/mail/get/:id`. */
  path: string;
  /** One sentence for the API document. */
  summary: string;
  needs: Needs;
  params?: P;
  query?: Q;
  body?: B;
  bodyKind?: BodyKind;
  /** Largest JSON body, bytes; 1 MB unless given, and 16 KB of a `public` call. */
  bodyLimit?: number;
  /** The field of a multipart body that holds its files; `attachments` unless given. */
  fileField?: string;
  /** Shape of `data`; for a `flat` answer, the shape of the whole body. */
  answer: R;
  /** True when the answer is not wrapped in the envelope (login, captcha). */
  flat?: boolean;
  /** True when the answer carries `pagination` beside `data`. */
  paged?: boolean;
  /** What a list that is made with `asList` can be sorted by and narrowed with. */
  list?: ListFacts;
  /** True when a person who must change their password first may make the call. */
  beforePasswordChange?: boolean;
  /**
   * True when a person who must set up a second factor first may make the call. They may make those
   * with `beforePasswordChange` too.
   */
  beforeTwoFactor?: boolean;
}

/** Declares a call. The function exists only so that TypeScript infers the types. */
export function endpoint<
  P extends z.ZodType = z.ZodUndefined,
  Q extends z.ZodType = z.ZodUndefined,
  B extends z.ZodType = z.ZodUndefined,
  R extends z.ZodType = z.ZodUndefined,
>(description: Endpoint<P, Q, B, R>): Endpoint<P, Q, B, R> {
  return description;
}

/** What a handler gets of the path, as the contract parsed it. */
export type InferParams<E> = E extends Endpoint<infer P, z.ZodType, z.ZodType, z.ZodType> ? z.output<P> : never;
/** What a handler gets of the query string. */
export type InferQuery<E> = E extends Endpoint<z.ZodType, infer Q, z.ZodType, z.ZodType> ? z.output<Q> : never;
/** What a handler gets of the body. */
export type InferBody<E> = E extends Endpoint<z.ZodType, z.ZodType, infer B, z.ZodType> ? z.output<B> : never;
/** What a handler answers, and a client gets. */
export type InferAnswer<E> = E extends Endpoint<z.ZodType, z.ZodType, z.ZodType, infer R> ? z.output<R> : never;

/** Position of a page in a list (D8). Pages are 1-based. */
export const pagination = z.object({
  /** Rows in all, not pages. */
  totalData: z.number().int(),
  totalPages: z.number().int(),
  pageNumber: z.number().int(),
  pageSize: z.number().int(),
});
export type Pagination = z.infer<typeof pagination>;

/**
 * Why a change was refused that started from another version than its record has (409
 * `changed_meanwhile`). Nothing was saved. To save nevertheless, the client makes the same call
 * again with the `version` of `current`.
 */
export interface Conflict<T = unknown> {
  /** Display name of the person who changed it last; null when that is not known. */
  by: string | null;
  /** When it was changed last, ISO 8601, UTC. */
  at: string;
  /**
   * The body's fields that were changed since the version that the form started from; empty when
   * that is not known.
   */
  fields: string[];
  /** The record as it is now, in the shape that the call answers. */
  current: T;
}

/** The shape of every answer but the flat ones (D8). */
export interface Envelope<T> {
  success: boolean;
  message: string;
  data?: T;
  pagination?: Pagination;
  /** Validation problems by field name. */
  errors?: Record<string, string>;
  /** Stable machine-readable reason of a failure, listed in ops/docs/ERROR-CODES.md. */
  code?: string;
  /** Set for a failure with the code `changed_meanwhile`. */
  conflict?: Conflict<T>;
  /**
   * Ids of records with which a client can go on after a failure, by their names in the contract:
   * `draft_id`.
   */
  ids?: Record<string, string>;
}
