import { deliverMessage } from '@selvage/core/jobs/deliver-message';
import { type Processor, processor } from '@selvage/core/jobs/processor';
import type { DeliveryLoop } from './delivery-loop.ts';

/** The job only wakes this process. The rows say what is due. */
export function deliverMessageProcessor(loop: Pick<DeliveryLoop, 'wake'>): Processor {
  return processor(deliverMessage, async () => loop.wake());
}
