import { AppError, forbidden, invalid, tooLarge, tooMany, unavailable } from '@selvage/core/errors';
import { tooMuchAtOnce } from '@selvage/core/memory-budget';
import { noRoomIn } from '@selvage/core/mailstore/require-room';
import { describe, expect, it } from 'vitest';
import { outcomeOf, replyLine } from './reply.ts';
import { toSmtpReply } from './to-smtp-reply.ts';

describe('toSmtpReply', () => {
  it.each([
    [
      'a sender that is not the account',
      forbidden('You can send from your own address and your aliases only.'),
      550,
      '5.7.1',
    ],
    ['a large message', tooLarge(), 552, '5.3.4'],
    ['too many recipients in an hour', tooMany(60), 450, '4.7.1'],
    ['a mailbox without room at the moment', noRoomIn('mailbox'), 452, '4.2.2'],
    ['a message that never fits the mailbox', noRoomIn('never'), 552, '5.2.3'],
    ['a database that is away', unavailable(), 451, '4.3.0'],
    [
      'groups of too many people',
      new AppError({ status: 422, code: 'too_many_people', publicText: 'x' }),
      550,
      '5.5.3',
    ],
    ['memory that is used up', tooMuchAtOnce(), 452, '4.3.1'],
    ['a failure of the host that has a code', new AppError({ status: 500, code: 'x', publicText: 'x' }), 451, '4.3.0'],
    ['anything unexpected', new Error('secret detail'), 451, '4.3.0'],
  ])('answers %s', (_what, error, code, enhancedCode) => {
    expect(toSmtpReply(error)).toMatchObject({ code, enhancedCode });
  });

  it('names what is wrong with a message in one line', () => {
    const reply = toSmtpReply(invalid({ from: 'one From,\r\nplease' }, 'The message cannot be sent.'));
    expect(replyLine(reply)).toBe('5.6.0 The message cannot be sent. one From, please');
    expect(outcomeOf(reply)).toBe('rejected');
  });

  it('says only once what the text of an error says already', () => {
    const error = invalid(
      { message: 'the message has no header' },
      'The message cannot be sent: the message has no header.',
    );
    expect(toSmtpReply(error).text).toBe('The message cannot be sent: the message has no header.');
  });

  it('does not tell the cause of an unexpected failure', () => {
    expect(toSmtpReply(new Error('secret detail')).text).not.toContain('secret');
  });
});
