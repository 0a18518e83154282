import { describe, expect, it } from 'vitest';
import { answerRecipients, newPrefill, prefixSubject } from './quoting.ts';

const own = 'ada@selvage.example';
const received = {
  sender_name: 'Anna',
  sender_email: 'anna@mills.example',
  recipient_emails_to: [own, 'bo@mills.example'],
  recipient_emails_cc: ['Cy <cy@mills.example>'],
  reply_to: [],
  send_status: false,
  received_status: true,
  subject: 'Lot',
  body: '',
  createdAt: '2026-11-21T12:00:00Z',
};

describe('prefixSubject', () => {
  it('does not double a prefix', () => {
    expect(prefixSubject('Re', 'RE: Lot')).toBe('RE: Lot');
    expect(prefixSubject('Fwd', 'Re: Lot')).toBe('Fwd: Re: Lot');
    expect(prefixSubject('Fwd', 'Fw: Lot')).toBe('Fw: Lot');
  });
});

describe('answerRecipients', () => {
  it('answers the sender alone', () => {
    expect(answerRecipients(received, [own], false)).toEqual({ to: ['Anna <anna@mills.example>'], cc: [] });
  });
  it('answers everybody but oneself', () => {
    const expected = {
      to: ['Anna <anna@mills.example>'],
      cc: ['bo@mills.example', 'Cy <cy@mills.example>'],
    };
    expect(answerRecipients(received, [own.toUpperCase()], true)).toEqual(expected);
  });
  it('takes an alias of the person for themselves', () => {
    const own = ['ada@selvage.example', 'bo@mills.example'];
    expect(answerRecipients(received, own, true).cc).toEqual(['Cy <cy@mills.example>']);
    const sent = { ...received, sender_email: 'Bo@mills.example', recipient_emails_to: ['anna@mills.example'] };
    expect(answerRecipients(sent, own, false).to).toEqual(['anna@mills.example']);
  });
  it('follows Reply-To', () => {
    const email = { ...received, reply_to: ['Sales <sales@mills.example>'] };
    expect(answerRecipients(email, [own], false).to).toEqual(['Sales <sales@mills.example>']);
  });
  it('goes on writing to the same people from a message one sent', () => {
    const sent = { ...received, sender_email: own, recipient_emails_to: ['anna@mills.example'] };
    expect(answerRecipients(sent, [own], false).to).toEqual(['anna@mills.example']);
  });
});

describe('newPrefill', () => {
  it('is empty but for the signature', () => {
    const empty = '<div><br></div><div id="selvage-signature"></div>';
    expect(newPrefill(undefined, '')).toEqual({ to: [], cc: [], bcc: [], subject: '', body: empty });
  });
  it('has the lines of a prepared text as they are, above the signature', () => {
    const { subject, body } = newPrefill({ subject: 'A <b>', text: 'one <img src=x>\n\n"two" & three' }, '<p>Ada</p>');
    expect(subject).toBe('A <b>');
    expect(body).toMatch(
      /^<div>one &lt;img src=x&gt;<\/div><div><br><\/div><div>&quot;two&quot; &amp; three<\/div>.*<p>Ada<\/p>/,
    );
  });
});
