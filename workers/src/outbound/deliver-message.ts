import { deliverMessage } from '@selvage/core/jobs/deliver-message';
import { type Processor, processor } from '@selvage/core/jobs/processor';
import type { DeliveryRunner } from './delivery-runner.ts';

/**
 * The job only wakes a worker. The row says whether the delivery is due and which worker has it.
 */
export function deliverMessageProcessor(deliveries: DeliveryRunner): Processor {
  return processor(deliverMessage, async (ctx, { deliveryId }) => await deliveries.deliver(ctx, deliveryId));
}
