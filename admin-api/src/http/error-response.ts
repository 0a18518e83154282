import type { Conflict, Envelope } from '@selvage/core/contracts/endpoint';
import { AppError, notFound } from '@selvage/core/errors';
import { MessageTooComplex } from '@selvage/core/mail/parsed-message';
import { isDatabaseAway } from '@selvage/core/database/database-errors';
import { log } from '@selvage/core/log';
import type { Context, Middleware } from 'koa';
import { UniqueConstraintError, ValidationError } from 'sequelize';

interface Failure {
  status: number;
  code: string;
  text: string;
  fields?: Record<string, string>;
  headers?: Record<string, string>;
  conflict?: Conflict;
  ids?: Record<string, string>;
}

/** nginx's status for a caller that closed the connection. Only the log shows it. */
const clientClosedStatus = 499;
const unavailable: Failure = {
  status: 503,
  code: 'service_unavailable',
  text: 'The server is busy or starting. Try again in a moment.',
  headers: { 'Retry-After': '2' },
};
/** Codes that say that the disk for uploads is full. */
const fullCodes = new Set(['ENOSPC', 'EDQUOT']);
/**
 * Redis is out of memory, can't write to its disk, or refuses writes for another temporary reason.
 */
const redisRefusals = /^(OOM|MISCONF|NOREPLICAS|EXECABORT|READONLY|LOADING) /;
const awayCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'ETIMEDOUT', 'EPIPE']);

/** Turns any error into an answer. No other code builds an error body. */
export const errorResponse: Middleware = async (koa, next) => {
  try {
    await next();
    if (koa.status === 404 && koa.body == null) throw notFound('path', 'There is nothing at this address.');
  } catch (error) {
    answerError(koa, error);
  }
};

function answerError(koa: Context, error: unknown): void {
  const failure = koa.req.destroyed && !koa.req.complete ? clientClosed : failureOf(error);
  logFailure(koa, failure, error);
  if (koa.headerSent) {
    koa.res.destroy();
    return;
  }
  const body: Envelope<unknown> = { success: false, message: failure.text, code: failure.code };
  if (failure.fields) body.errors = failure.fields;
  if (failure.conflict) body.conflict = failure.conflict;
  if (failure.ids) body.ids = failure.ids;
  koa.status = failure.status;
  koa.set(failure.headers ?? {});
  koa.remove('Content-Disposition');
  koa.set('Cache-Control', 'no-store');
  koa.body = failure.status === 500 ? { ...body, request_id: koa.response.get('x-request-id') } : body;
  // A body parser pauses the request when it refuses it. Unless the rest is read, the connection
  // never reaches the client's next request
  koa.req.resume();
}

const clientClosed: Failure = {
  status: clientClosedStatus,
  code: 'client_closed',
  text: 'The request was not completed.',
};

function failureOf(error: unknown): Failure {
  if (error instanceof AppError) {
    const { status, code, publicText: text, fields, headers, conflict, ids } = error;
    return {
      status,
      code,
      text,
      ...(fields ? { fields } : {}),
      ...(headers ? { headers } : {}),
      ...(conflict ? { conflict } : {}),
      ...(ids ? { ids } : {}),
    };
  }
  if (error instanceof MessageTooComplex) return tooComplex;
  if (isAway(error)) return unavailable;
  if (error instanceof UniqueConstraintError) return { status: 409, code: 'conflict', text: 'That already exists.' };
  if (error instanceof ValidationError) return invalidRow(error);
  return httpFailure(error) ?? internal;
}

const tooComplex: Failure = {
  status: 422,
  code: 'too_complex',
  text: 'The structure of this message is too complex to be read.',
};

const internal: Failure = {
  status: 500,
  code: 'internal_error',
  text: 'The server had a problem. Nothing was lost; try again.',
};

function invalidRow(error: ValidationError): Failure {
  const fields = Object.fromEntries(error.errors.map((item) => [item.path ?? 'value', 'Not a valid value']));
  return { status: 422, code: 'invalid', text: 'Please check the marked fields.', fields };
}

function isAway(error: unknown): boolean {
  if (isDatabaseAway(error)) return true;
  if (!(error instanceof Error)) return false;
  if ('code' in error && fullCodes.has(String(error.code))) return true;
  if (error.name === 'ReplyError' && redisRefusals.test(error.message)) return true;
  // ioredis uses these names and words when Redis can't be reached
  return (
    error.name === 'MaxRetriesPerRequestError' ||
    /^(Connection is closed|Stream isn't writeable|Command timed out)/.test(error.message) ||
    ('syscall' in error && error.syscall === 'connect' && 'code' in error && awayCodes.has(String(error.code)))
  );
}

/** Errors of Koa itself (`http-errors`) that blame the caller. */
function httpFailure(error: unknown): Failure | null {
  if (!(error instanceof Error) || !('status' in error) || !('expose' in error) || !error.expose) return null;
  const status = Number(error.status);
  return status >= 400 && status < 500 ? { status, code: 'bad_request', text: 'The request could not be read.' } : null;
}

function logFailure(koa: Context, failure: Failure, error: unknown): void {
  const facts = { method: koa.method, path: pathForLog(koa.path), status: failure.status, code: failure.code };
  if (failure.status === 500) log.error('request failed', { ...facts, error });
  // A browser that leaves a page closes its pending calls, so those that waited end as too busy.
  // That is no outage and no reason for a warning
  else if (failure.status === 503 && !(koa.res.closed && failure.code === 'too_busy'))
    log.warn('request refused while something is away', { ...facts, error });
  else log.info('request refused', facts);
}

/** A signed path or a code gives access to what it names, so neither is logged. */
export function pathForLog(path: string): string {
  return path.replace(/^(\/upload\/[\w-]+\/|\/r\/).*/, '$1…');
}
