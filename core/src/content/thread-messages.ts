import type { ComplexityReason } from '../mail/parsed-message.ts';

/** A piece of work for a thread: the name of a task, and what it works on. */
export interface ThreadRequest {
  task: string;
  input: unknown;
}

/** A message from a thread to the pool. */
export type ThreadAnswer =
  /** The thread has loaded everything and takes work. */
  | { kind: 'ready' }
  | { kind: 'done'; result: unknown }
  | { kind: 'too_complex'; reason: ComplexityReason }
  | { kind: 'failed'; message: string; code: string };
