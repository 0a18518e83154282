import type { DeliveryDto, EmailRowDto } from '@selvage/core/contracts/mail';

type State = DeliveryDto['state'];
type Color = 'success' | 'warning' | 'danger' | 'informative';

interface Words {
  /** One or two words for a row. */
  chip: string;
  /** A sentence for the message itself. */
  sentence: string;
  color: Color;
}

const words: Record<State, Words> = {
  held: { chip: 'Sending', sentence: 'About to be sent', color: 'informative' },
  queued: { chip: 'On its way', sentence: 'On its way', color: 'informative' },
  stored: { chip: 'Delivered', sentence: 'Delivered to the mailbox', color: 'success' },
  relayed: { chip: 'Delivered', sentence: 'Accepted by the recipient’s mail server', color: 'success' },
  bounced: { chip: 'Not delivered', sentence: 'Could not be delivered', color: 'danger' },
  cancelled: { chip: 'Taken back', sentence: 'Taken back before it was sent', color: 'informative' },
};

export function chipOf(state: NonNullable<EmailRowDto['delivery_state']>): Words {
  return words[state];
}

/** What became of one recipient. A message that waits for another attempt is late, not lost. */
export function describeDelivery(delivery: Pick<DeliveryDto, 'state' | 'attempts'>): Words {
  if (delivery.state === 'queued' && delivery.attempts > 0) {
    return { chip: 'Delayed', sentence: 'Not accepted yet, will be tried again', color: 'warning' };
  }
  return words[delivery.state];
}
