import { isIPv4, isIPv6 } from 'node:net';
import { z } from 'zod';
import { mostProcesses, usualProcesses } from './usual-processes.ts';

/*
 * The kinds of values that environment variables have: how each is read from its text, and what is
 * said of a text that does not fit.
 */

export const portNumber = z.coerce
  .number({ error: 'must be a port number' })
  .int('must be a port number')
  .min(0, 'must be a port number')
  .max(65535, 'must be a port number');

export const port = (fallback: number, meaning: string) => portNumber.default(fallback).describe(meaning);

export const whole = (fallback: number, min: number, max: number, meaning: string) =>
  z.coerce
    .number({ error: 'must be a whole number' })
    .int('must be a whole number')
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`)
    .default(fallback)
    .describe(meaning);

export const processes = (meaning: string) => whole(usualProcesses(), 1, mostProcesses, meaning);

export const decimal = (fallback: number, min: number, max: number, meaning: string) =>
  z.coerce
    .number({ error: 'must be a number' })
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`)
    .default(fallback)
    .describe(meaning);

export const flag = (fallback: boolean, meaning: string) =>
  z
    .enum(['true', 'false', '1', '0'], { error: 'must be true or false' })
    .default(fallback ? 'true' : 'false')
    .transform((value) => value === 'true' || value === '1')
    .describe(meaning);

/** A URL of one of these protocols; reports a text that is none instead of throwing. */
export const urlOf = (protocols: string[], shape: string) =>
  z.string().refine(
    (value) => {
      const url = URL.parse(value);
      return url !== null && protocols.includes(url.protocol);
    },
    { error: `must look like ${shape}` },
  );

/**
 * A URL with a login. Its name, password and path are decoded each by itself, as they are used, and
 * a text that can't be is reported instead of throwing.
 */
export const loginUrlOf = (protocols: string[], shape: string) =>
  urlOf(protocols, shape).refine(
    (value) => {
      const { username = '', password = '', pathname = '' } = URL.parse(value) ?? {};
      try {
        for (const part of [username, password, pathname]) decodeURIComponent(part);
        return true;
      } catch {
        return false;
      }
    },
    { error: 'has a login or a path in which a % is not followed by two hexadecimal digits; %25 stands for one' },
  );

export const hostName = z
  .string()
  .toLowerCase()
  .max(253, 'must be a host name of at most 253 characters')
  .regex(
    /^(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*$/,
    'must be a host name of letters, digits, dots and hyphens',
  );

/**
 * Whether a resolver can be asked there: `1.2.3.4`, `1.2.3.4:53`, `::1`, `[::1]` or `[::1]:53`.
 * node:dns throws for anything else, and then no process starts.
 */
export function isDnsServer(server: string): boolean {
  if (isIPv6(server)) return !server.includes('%');
  const parts = /^(?:\[(?<v6>[^\]%]+)\]|(?<v4>[^:]+))(?::(?<port>\d{1,5}))?$/.exec(server)?.groups;
  if (!parts) return false;
  const port = Number(parts['port'] ?? 53);
  return (isIPv6(parts['v6'] ?? '') || isIPv4(parts['v4'] ?? '')) && port >= 1 && port <= 65535;
}

export const wordList = (value: string): string[] =>
  value
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
