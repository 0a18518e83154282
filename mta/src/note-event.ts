import { type LogFields, log } from '@selvage/core/log';
import { mailEvents } from '@selvage/core/metrics';
import { outcomeOf, type Reply } from './reply.ts';

/** Writes one decision of the door to log and metrics, in the same words. */
export function noteEvent(message: string, reply: Reply, fields: LogFields = {}): void {
  const outcome = outcomeOf(reply);
  const event = outcome === 'accepted' ? 'stored' : outcome;
  mailEvents.inc({ event, reason: reply.reason });
  log.info(message, { event, reason: reply.reason, code: reply.code, ...fields });
}
