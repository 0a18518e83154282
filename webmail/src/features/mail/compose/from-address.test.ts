import { describe, expect, it } from 'vitest';
import { fromOfAnswer } from './from-address.ts';

const writer = { email: 'ada@selvage.example', aliases: ['orders@selvage.example', 'sales@selvage.example'] };
const received = {
  sender_email: 'anna@mills.example',
  send_status: false,
  recipient_emails_to: ['bo@mills.example'],
  recipient_emails_cc: [],
  delivered_to: null,
};
type Changes = Partial<Parameters<typeof fromOfAnswer>[0]>;
const answer = (changes: Changes) => fromOfAnswer({ ...received, ...changes }, writer);

describe('fromOfAnswer', () => {
  it('is the alias that the message was written to, in To or Cc, with a tag as well', () => {
    expect(answer({ recipient_emails_to: ['Sales <SALES@selvage.example>'] })).toBe('sales@selvage.example');
    expect(answer({ recipient_emails_cc: ['sales+fair@selvage.example'] })).toBe('sales@selvage.example');
  });

  it('is the alias by which it came, where the message names none', () => {
    expect(answer({ delivered_to: 'orders@selvage.example' })).toBe('orders@selvage.example');
  });

  it('is the first own address that the message names', () => {
    const both = ['ada@selvage.example', 'sales@selvage.example'];
    expect(answer({ recipient_emails_to: both, delivered_to: 'sales@selvage.example' })).toBe(null);
    expect(answer({ recipient_emails_to: both.toReversed() })).toBe('sales@selvage.example');
  });

  it('stays the same for a message that the person sent', () => {
    const sent = { send_status: true, recipient_emails_to: ['orders@selvage.example'] };
    expect(answer({ ...sent, sender_email: 'sales@selvage.example' })).toBe('sales@selvage.example');
    expect(answer({ ...sent, sender_email: writer.email })).toBe(null);
  });

  it('is the mailbox for a message that names no own address', () => {
    expect(answer({})).toBe(null);
    expect(answer({ delivered_to: 'gone@selvage.example' })).toBe(null);
  });
});
