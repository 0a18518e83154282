import type { StoryDto } from '@selvage/core/contracts/trace';
import { describe, expect, it } from 'vitest';
import { storySteps } from './story-steps.ts';

const at = '2026-11-25T10:00:00.000Z';
const nothingSaid = { at, reply: null, remote_host: null, tls: null, tls_protocol: null };

const outgoing: StoryDto = {
  _id: '1',
  direction: 'out',
  sender: 'ana@here.test',
  recipient: 'bo@there.test',
  state: 'relayed',
  reason: 'remote_accepted',
  attempts: 1,
  answers: 1,
  expanded_by: null,
  forwarded_for: null,
  company_id: null,
  createdAt: at,
  mail_id: 'ID1',
  message_id: null,
  size: 1,
  header_from: null,
  arrival: { helo: null, address: null, protocol: 'HTTPS', encrypted: true, tls: null },
  checks: null,
  placement: null,
  expanded_to: null,
  past: [],
  last: { ...nothingSaid, reply: '250 ok', remote_host: 'mx.there.test', tls: 'encrypted', tls_protocol: 'TLSv1.3' },
  next_attempt_at: null,
  released_at: null,
  is_sending: false,
  companions: [],
  is_received: false,
};
const incoming: StoryDto = {
  ...outgoing,
  direction: 'in',
  sender: 'bo@there.test',
  recipient: 'ana@here.test',
  state: 'stored',
  reason: 'stored_locally',
  arrival: { helo: 'mx.there.test', address: '192.0.2.1', protocol: 'ESMTPS', encrypted: true, tls: 'TLSv1.3' },
  last: nothingSaid,
};
const refused = { state: 'refused', size: null, arrival: null, last: nothingSaid } as const;

const told = (story: StoryDto) => storySteps(story).map(({ text }) => text);

describe('the story of mail that was refused', () => {
  const { arrival } = incoming;

  it('tells how it was offered and what was checked, with the words of the wire beside', () => {
    const checks = {
      spf: { result: 'fail', domain: 'there.test' },
      dkim: [],
      dmarc: { result: 'fail', policy: 'reject' },
    };
    const story: StoryDto = { ...incoming, ...refused, reason: 'dmarc_reject', arrival, checks };
    expect(told(story).slice(0, 2)).toEqual([
      'mx.there.test (192.0.2.1) offered it, over an encrypted connection.',
      'The checks failed: it may not be from the sender that it shows.',
    ]);
    expect(storySteps(story)[0]?.raw).toBe('mx.there.test · 192.0.2.1 · ESMTPS · TLSv1.3');
  });

  it('tells that the connection was not encrypted, and of a flood only where it came from', () => {
    const plain = { helo: null, address: '192.0.2.1', protocol: 'SMTP', encrypted: false, tls: null };
    expect(told({ ...incoming, ...refused, arrival: plain })[0]).toBe('192.0.2.1 offered it, without encryption.');
    const last = { ...nothingSaid, remote_host: '192.0.2.1' };
    expect(told({ ...incoming, ...refused, last, answers: 9 })[0]).toBe('192.0.2.1 offered it.');
  });
});

describe('the story of mail that comes in', () => {
  it('begins with the restore where it came from an archive', () => {
    const sent: StoryDto = { ...incoming, sender: incoming.recipient, reason: 'restored', placement: null };
    expect(told(sent)).toEqual(['Restored from an archive of the company.', 'It is in the mailbox.']);
    expect(storySteps(sent)[0]?.raw).toBeNull();
  });

  it('tells how it arrived, what was checked, where its address led and where it went', () => {
    const checks = {
      spf: { result: 'pass', domain: 'there.test' },
      dkim: [],
      dmarc: { result: 'fail', policy: 'reject' },
    };
    const story: StoryDto = {
      ...incoming,
      checks,
      expanded_by: 'alias',
      expanded_to: 'ana@here.test',
      placement: { by: 'dmarc', folder: 'junk' },
    };
    expect(told(story)).toEqual([
      'Arrived from mx.there.test (192.0.2.1), over an encrypted connection.',
      'The checks failed: it may not be from the sender that it shows.',
      'The address is an alias of ana@here.test.',
      'Delivered to the mailbox. It went to Junk. Its sender’s domain asks for that when the checks fail.',
    ]);
    expect(storySteps(story)[1]?.raw).toBe('SPF pass (there.test) · DKIM none · DMARC fail (reject)');
  });

  it.each<[string, Partial<StoryDto>, string]>([
    ['a report', { sender: '', arrival: null }, 'Written by this host itself.'],
    ['a message of which no more is known', { arrival: null }, 'Arrived.'],
    ['a repeat', { reason: 'duplicate' }, 'The same message had been delivered before, and was not stored twice.'],
    ['a member of a group', { expanded_by: 'group' }, 'The address is a group.'],
    [
      'a catch-all',
      { expanded_by: 'catch_all', expanded_to: 'c@here.test' },
      'There is no such address: the domain’s catch-all took it for c@here.test.',
    ],
  ])('says what is special about %s', (_kind, overrides, text) => {
    expect(told({ ...incoming, ...overrides })).toContain(text);
  });

  it('says of a refusal that it was offered, and of a flood how often', () => {
    const last = { ...nothingSaid, remote_host: '192.0.2.1' };
    const one: StoryDto = { ...incoming, ...refused, last, reason: 'unknown_recipient' };
    expect(told(one)).toEqual(['192.0.2.1 offered it.', 'Refused: there is no such mailbox.']);
    const flood = { ...one, last: nothingSaid, sender: '', recipient: '', answers: 312 };
    expect(told(flood)).toEqual(['The other server offered it.', 'Refused 312 times: there is no such mailbox.']);
  });
});

describe('the story of mail that goes out', () => {
  it.each<[string, Partial<StoryDto>, string]>([
    ['the web app', {}, 'Sent by ana@here.test in the web app.'],
    [
      'a mail program',
      { arrival: { helo: null, address: null, protocol: 'ESMTPSA', encrypted: true, tls: null } },
      'Sent by ana@here.test with a mail program.',
    ],
    ['a way that is not known', { arrival: null }, 'Sent by ana@here.test.'],
    ['a neighbour', { is_received: true }, 'Sent by ana@here.test, who has a mailbox on this host.'],
    ['a mailbox that forwards', { forwarded_for: 'cy@here.test' }, 'Forwarded from the mailbox cy@here.test.'],
    ['the host itself', { sender: '' }, 'Written by this host itself.'],
  ])('begins with %s', (_way, overrides, text) => {
    expect(told({ ...outgoing, ...overrides })[0]).toBe(text);
  });

  it('says of a refusal that it was to be sent, never that it was sent', () => {
    const one: StoryDto = { ...outgoing, ...refused, reason: 'not_allowed_to_send_as' };
    const end = 'Refused: the sender may not use that address.';
    expect(told(one)).toEqual(['ana@here.test wanted to send it.', end]);
    expect(told({ ...one, sender: '' })).toEqual(['It was to be sent.', end]);
    expect(told({ ...one, sender: '', recipient: '', answers: 40 })).toEqual([
      'Several messages were to be sent.',
      'Refused 40 times: the sender may not use that address.',
    ]);
  });

  it.each<[string, Partial<StoryDto>, string]>([
    ['handed over', {}, 'mx.there.test took it. It was sent encrypted.'],
    [
      'not delivered',
      { state: 'bounced', reason: 'null_mx' },
      'Not delivered: the domain takes no mail. The sender gets a report while the mailbox exists.',
    ],
    [
      'a forwarded copy that is not delivered',
      { state: 'bounced', reason: 'null_mx', sender: 'cy@here.test', forwarded_for: 'cy@here.test' },
      'Not delivered: the domain takes no mail. The owner of cy@here.test is told once a day.',
    ],
    [
      'a report that is not delivered',
      { state: 'bounced', reason: 'null_mx', sender: '' },
      'Not delivered: the domain takes no mail.',
    ],
    ['waiting at first', { state: 'queued', reason: 'accepted', attempts: 0 }, 'It waits for its first attempt.'],
    ['waiting', { state: 'queued', reason: 'timeout' }, 'It waits: the other server did not answer in time.'],
    ['under way', { state: 'queued', reason: 'timeout', is_sending: true }, 'It is being sent at this moment.'],
    ['held', { state: 'held', reason: 'held_by_administrator' }, 'Held: an administrator holds it back.'],
    ['taken back', { state: 'cancelled', reason: 'cancelled_by_sender' }, 'Not sent: its sender took it back.'],
  ])('ends as %s', (_end, overrides, text) => {
    expect(told({ ...outgoing, ...overrides }).at(-1)).toBe(text);
  });

  it('counts the attempts before the last, and says when a scheduled message was let go', () => {
    const past = [{ ...nothingSaid, reason: 'timeout', reply: '451 later' }];
    const steps = storySteps({ ...outgoing, past, released_at: at, state: 'queued', reason: 'timeout' });
    expect(steps.map(({ text }) => text)).toEqual([
      'Sent by ana@here.test in the web app.',
      'Its scheduled time came, and it was released.',
      'Attempt 1 did not deliver it: the other server did not answer in time.',
      'It waits: the other server did not answer in time.',
    ]);
    // What was said stands with the attempt, and not once more
    expect(steps.map(({ raw }) => raw)).toEqual(['HTTPS', null, '451 later', null]);
  });
});
