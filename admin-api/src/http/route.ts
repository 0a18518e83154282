import type { Endpoint, InferAnswer, InferBody, InferParams, InferQuery } from '@selvage/core/contracts/endpoint';
import { problemWords } from '@selvage/core/contracts/problem-words';
import { AppError, invalid } from '@selvage/core/errors';
import type { App } from '@selvage/core/context/app';
import type { Ctx } from '@selvage/core/context/context';
import { withDeadline } from '@selvage/core/with-deadline';
import { Router } from '@koa/router';
import type { Context } from 'koa';
import type { z } from 'zod';
import type { Waiting } from '../auth/login-step.ts';
import { admit } from './admit.ts';
import { CallMemory } from './call-memory.ts';
import { type Page, paginationOf } from './paging.ts';
import { holdLargeAnswer } from './hold-answer.ts';
import { discardBody, emptyBody, type RawBody, readBody } from './read-body.ts';
import { contextOf } from './request-context.ts';
import { endTurn } from './request-turns.ts';
import type { UploadedFile } from './uploads.ts';
import type { WorkQueue } from './work-queue.ts';

/** The routes of the API, and the contracts that they serve. */
export interface ApiRouter {
  koaRouter: Router;
  bound: Set<Endpoint>;
  work: WorkQueue;
  app: App;
}

/**
 * What a handler gets besides its context: the parts of the request, as the contract parsed them.
 */
export interface Input<E> {
  params: InferParams<E>;
  query: InferQuery<E>;
  body: InferBody<E>;
  files: UploadedFile[];
  /**
   * For a `second-step` call: the unfinished login of this browser. Null when the caller is logged
   * in.
   */
  waiting: Waiting | null;
  koa: Context;
}

/** What a handler returns: the contract's answer, one page of a list, or nothing. */
export type Output<E> = InferAnswer<E> | Page<InferAnswer<E>> | (InferAnswer<E> extends undefined ? void : never);

/** What a route needs beyond its contract. */
export interface RouteOptions<E> {
  /** The `message` of the envelope. A function chooses it for a call with two meanings. */
  message?: string | ((ctx: Ctx, input: Input<E>) => string);
  /** Runs before the request is authenticated and its body is read, e.g. to throttle. */
  before?: (ctx: Ctx) => Promise<void>;
  /**
   * Runs when the call fails, before the error is answered. Gets the fields of the body that were
   * read until then.
   */
  refused?: (ctx: Ctx, error: unknown, fields: unknown) => void;
}

/** A router under /api/v1 without routes. */
export function createApiRouter(app: App, work: WorkQueue): ApiRouter {
  return { koaRouter: new Router({ prefix: '/api/v1' }), bound: new Set(), work, app };
}

/**
 * Binds a contract to its handler. Checks the caller and the input, and wraps the answer, as the
 * contract says.
 */
export function route<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  router: ApiRouter,
  endpoint: Endpoint<P, Q, B, R>,
  handler: (ctx: Ctx, input: Input<Endpoint<P, Q, B, R>>) => Promise<Output<Endpoint<P, Q, B, R>>>,
  options: RouteOptions<Endpoint<P, Q, B, R>> = {},
): void {
  const contract = endpoint as Endpoint;
  if (router.bound.has(contract)) throw new Error(`Two routes for ${contract.method} ${contract.path}`);
  router.bound.add(contract);
  const answer = async (koa: Context): Promise<void> => {
    const body = emptyBody();
    let memory: CallMemory | null = null;
    let isBegun = false;
    try {
      await options.before?.(contextOf(koa));
      const { config } = router.app;
      const limit = config.requestTimeoutSeconds * 1000;
      const patience = { limitMs: limit, isGone: () => koa.res.closed, late: () => timedOut(contract) };
      const admitted = await admit(koa, contract, (userId, lookUp) => router.work.lookUp(userId, patience, lookUp));
      const arrivalLimit = contract.bodyKind === 'multipart' ? config.transferSeconds * 1000 : limit;
      const call = new CallMemory(admitted.ctx);
      memory = call;
      call.beginBody(koa, contract);
      const arrived = readBody(koa, contract, config, { body, count: (bytes) => call.holdArrived(bytes) });
      await withDeadline(arrived, arrivalLimit, () => tooSlow(koa));
      call.endBody();
      const parsed = parseInput(koa, contract, body);
      // From here on calls take turns by person, so a colleague in the same network does not delay
      // them
      endTurn(koa.req);
      const { message = 'OK' } = options;
      const answered = await router.work.run({ ctx: admitted.ctx, ...patience }, async () => {
        isBegun = true;
        // When the caller gets a timeout, the work goes on and keeps its share of the memory
        return await call.run(async () => {
          const { ctx, waiting } = await admitted.ofNow();
          const input = { ...parsed, waiting } as Input<Endpoint<P, Q, B, R>>;
          const output = await handler(ctx, input);
          return { output, message: typeof message === 'string' ? message : message(ctx, input) };
        });
      });
      writeAnswer(koa, contract, answered, parsed);
      if (typeof koa.body === 'string') holdLargeAnswer(admitted.ctx, koa, koa.body);
    } catch (error) {
      options.refused?.(contextOf(koa), error, body.fields);
      throw error;
    } finally {
      if (!isBegun) memory?.release();
      await discardBody(body);
    }
  };
  router.koaRouter.register(contract.path, [contract.method], [answer]);
}

function parseInput(
  koa: Context,
  endpoint: Endpoint,
  body: RawBody,
): Record<Exclude<keyof Input<Endpoint>, 'waiting'>, unknown> {
  const problems: Record<string, string> = {};
  const params = parsePart(endpoint.params, koa.params, problems);
  const query = parsePart(endpoint.query, { ...koa.query }, problems);
  const parsed = parsePart(endpoint.body, body.fields ?? {}, problems);
  if (Object.keys(problems).length > 0) throw invalid(problems);
  return { params, query, body: parsed, files: body.files, koa };
}

function parsePart(schema: z.ZodType | undefined, value: unknown, problems: Record<string, string>): unknown {
  if (!schema) return undefined;
  const result = schema.safeParse(value, { error: problemWords });
  if (result.success) return result.data;
  for (const issue of result.error.issues) {
    const name = issue.path.map(String).join('.') || 'request';
    problems[name] ??= issue.message;
  }
  return undefined;
}

function writeAnswer(
  koa: Context,
  endpoint: Endpoint,
  { output, message }: { output: unknown; message: string },
  input: { query: unknown },
): void {
  koa.set('Cache-Control', 'no-store');
  koa.type = 'application/json; charset=utf-8';
  koa.body = JSON.stringify(envelopeOf(endpoint, { output, message }, input));
}

function envelopeOf(
  endpoint: Endpoint,
  { output, message }: { output: unknown; message: string },
  input: { query: unknown },
): unknown {
  if (endpoint.flat) return output;
  if (!endpoint.paged) return { success: true, message, ...(output === undefined ? {} : { data: output }) };
  const page = output as Page<unknown>;
  const pagination = paginationOf(page.total, input.query as { page: number; limit: number });
  return { success: true, message, data: page.rows, pagination };
}

/** The error for a caller that took too long to send its request. */
export function tooSlow(koa: Context): AppError {
  // The rest of the request is not read, so the connection can't be used again
  koa.set('Connection', 'close');
  return new AppError({
    status: 408,
    code: 'request_timeout',
    publicText: 'The request took too long to arrive. Please try again.',
  });
}

/**
 * The error for a call whose work takes too long. The work goes on, so the caller of a change must
 * look at the result before it repeats the call.
 */
export function timedOut({ method }: { method: string }): AppError {
  const isReading = method === 'GET';
  return new AppError({
    status: 503,
    code: 'timeout',
    publicText: isReading
      ? 'This took too long. Try again in a moment.'
      : 'This took too long. It may still be done: check before you try again.',
    headers: { 'Retry-After': '5' },
  });
}

/**
 * Refuses to start when no route serves a call of the registry, or when a route serves a call that
 * the registry does not name.
 * @throws {Error} that names these calls and where to mend each
 */
export function assertAllBound(router: ApiRouter, endpoints: Record<string, Endpoint>): void {
  const missing = Object.entries(endpoints).filter(([, endpoint]) => !router.bound.has(endpoint));
  const listed = new Set(Object.values(endpoints));
  const unlisted = [...router.bound].filter((endpoint) => !listed.has(endpoint));
  const problems = [
    ...missing.map(([name]) => `no route serves ${name}: bind it in admin-api/src/create-app.ts`),
    ...unlisted.map(
      ({ method, path }) => `core/src/contracts/registry.ts does not name ${method} ${path}: add it there`,
    ),
  ];
  if (problems.length > 0) throw new Error(`Contracts and routes differ:\n${problems.join('\n')}`);
}
