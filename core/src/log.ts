import { AsyncLocalStorage } from 'node:async_hooks';
import { type Logger, type LoggerOptions, pino, stdSerializers } from 'pino';

/** Facts of a log line. They never hold bodies, subjects, passwords, tokens or cookies. */
export type LogFields = Record<string, unknown>;

type Level = 'debug' | 'info' | 'warn' | 'error';

const context = new AsyncLocalStorage<LogFields>();

const secretNames = new Set([
  'password',
  'token',
  'secret',
  'authorization',
  'cookie',
  'privateKey',
  'secretKey',
  'otp',
  'captcha',
]);

let logger: Logger | undefined;

/**
 * Sets level, process name and what takes the lines (standard output unless given); called once,
 * when the configuration is known.
 */
export function configureLog(options: { level: string; process: string; write?: (line: string) => void }): void {
  logger = createLogger(options.level, options.process, options.write);
}

/** Sets another level once the whole configuration is known. */
export function setLogLevel(level: string): void {
  if (logger !== undefined) logger.level = level;
}

/** Adds fields to every line that is written by `fn` and what it calls, also later. */
export function withLogContext<T>(fields: LogFields, fn: () => T): T {
  return context.run({ ...context.getStore(), ...fields }, fn);
}

/**
 * Runs work that belongs to no caller: its lines must not carry the fields of the caller that
 * started it.
 */
export const withoutLogContext: <T>(fn: () => T) => T = AsyncLocalStorage.snapshot();

/** A field of the surrounding log context, e.g. the request id that a job should carry on. */
export function logContextField(name: string): unknown {
  return context.getStore()?.[name];
}

/** JSON lines on stdout: a constant message, the facts as fields. */
export const log = {
  debug: (message: string, fields?: LogFields): void => write('debug', message, fields),
  info: (message: string, fields?: LogFields): void => write('info', message, fields),
  warn: (message: string, fields?: LogFields): void => write('warn', message, fields),
  error: (message: string, fields?: LogFields): void => write('error', message, fields),
};

/** The part of `log` for code that may run where the logger itself is not loaded. */
export type LogWriter = Pick<typeof log, 'info' | 'warn' | 'error'>;

function write(level: Level, message: string, fields: LogFields | undefined): void {
  logger ??= createLogger('info', 'selvage');
  if (logger.isLevelEnabled(level)) logger[level](present({ ...context.getStore(), ...fields }), message);
}

function createLogger(level: string, name: string, write?: (line: string) => void): Logger {
  const options: LoggerOptions = {
    level,
    base: { process: name, pid: process.pid },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
    hooks: { streamWrite: showHidden },
  };
  return write === undefined ? pino(options) : pino(options, { write });
}

// Characters that JSON does not escape: codes that a terminal acts on, line ends of Unicode, and
// characters that change the direction of text. Strangers choose the names, addresses and replies
// in log lines
const unsafe = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Escapes these characters in a line of JSON. The texts in it stay the same. */
function showHidden(line: string): string {
  return line.replace(unsafe, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * Fields as a line shows them. The logger's own redaction looks for each secret on each level of
 * each line, which takes several times as long as the rest of it.
 */
function present(fields: LogFields): LogFields {
  const { error, err } = fields;
  if (error !== undefined) fields['error'] = presentError(error);
  if (err !== undefined) fields['err'] = presentError(err);
  return withoutSecrets(fields, 3) as LogFields;
}

/** Secrets are hidden on as many levels as are asked for. */
function withoutSecrets(value: unknown, levels: number): unknown {
  if (levels === 0 || typeof value !== 'object' || value === null || 'toJSON' in value) return value;
  if (Array.isArray(value)) return value.map((one) => withoutSecrets(one, levels - 1));
  const shown = Object.entries(value).map(([name, one]) => {
    return [name, secretNames.has(name) ? '[redacted]' : withoutSecrets(one, levels - 1)];
  });
  return Object.fromEntries(shown);
}

/**
 * Keeps only the fields that explain a failure. A database error also carries the statement with
 * its values, which may be a person's mail.
 */
function presentError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { type, message, stack } = stdSerializers.err(error);
  const { code } = error as NodeJS.ErrnoException;
  return { type, message, stack, code, cause: error.cause === undefined ? undefined : presentError(error.cause) };
}
