import { messageOf } from './errors.ts';
import { isDatabaseAway } from './database/database-errors.ts';

/** A failure that the operator can act on. Its message is a whole sentence without a stack. */
export class OperatorError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'OperatorError';
  }
}

const sentences: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EACCES: 'this account may not read or write there',
  EPERM: 'this account may not do that there',
  EROFS: 'the file system can only be read',
  EIO: 'the disk reports an error',
  ENOENT: 'there is no such file or directory',
  ENOTDIR: 'a part of the path is no directory',
  EMFILE: 'too many files are open',
};

interface Link {
  code?: unknown;
  path?: unknown;
  cause?: unknown;
  parent?: unknown;
}

/** One sentence for the operator about any failure. */
export function describeFailure(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  // An address of several machines has one failure for each, and no message of its own
  if (isDatabaseAway(error))
    return `the database can't be reached or can't work now: ${messageOf(error) || 'no connection'}`;
  for (let link = error as Link | undefined, depth = 0; link && depth < 8; depth += 1) {
    const sentence = typeof link.code === 'string' ? sentences[link.code] : undefined;
    if (sentence) return typeof link.path === 'string' ? `${sentence}: ${link.path}` : sentence;
    link = (link.cause ?? link.parent) as Link | undefined;
  }
  return messageOf(error);
}
