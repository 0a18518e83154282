import type { z } from 'zod';
import { log } from './log.ts';

/**
 * Parses JSON that Redis keeps. Null when there is none, and when it can't be used: it may be
 * damaged, or another version of Selvage may have written it. The caller then goes on as without
 * it, and writes it anew.
 * @param what names the kept thing in the log
 */
export function parseKept<T>(text: string | null | undefined, schema: z.ZodType<T>, what: string): T | null {
  if (text === null || text === undefined) return null;
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    log.warn('what redis keeps cannot be used and counts as missing', { what, error });
    return null;
  }
}
