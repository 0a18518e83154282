import type { Worker } from 'node:cluster';
import type { ToMember } from './messages.ts';

/** Tells a member something; one that is ending needs to know nothing any more. */
export function tell(worker: Worker, message: ToMember): void {
  if (worker.isConnected()) worker.send(message, () => undefined);
}
