import { describe, expect, it } from 'vitest';
import { parseMessage } from './parse-message.ts';

const mail = (...lines: string[]) => Buffer.from(lines.join('\r\n'));

describe('the text of a message whose header does not end', () => {
  it.each<[string, Buffer, string]>([
    ['no header', mail('Alarm: no', 'Door open'), 'Door open'],
    ['no field at all', mail('Door 3 is open', 'since 8 o\u2019clock'), 'Door 3 is open\nsince 8 o\u2019clock'],
    ['no field, and a blank line', mail('Door 3 is open', '', 'Call Ann'), 'Door 3 is open\n\nCall Ann'],
    [
      'no blank line',
      mail('From: ups@a.test', 'Subject: power', 'On battery', 'Left: 5 min'),
      'On battery\nLeft: 5 min',
    ],
    ['a folded field and no blank line', mail('Subject: a', ' b', 'On battery'), 'On battery'],
    ['a line of a mailbox file', mail('From ups@a.test Mon Jan  1', 'Subject: a', 'On battery'), 'On battery'],
  ])('is shown where there is %s', async (_what, raw, text) => {
    const parsed = await parseMessage(raw);
    expect(parsed.text).toBe(text);
    expect(parsed.preview).not.toBe('');
  });

  it.each<[string, Buffer, string]>([
    ['a line that is no field', mail('Subject: a', 'no field', '', 'text'), 'text'],
    ['such a line before its fields', mail('no field', 'Subject: a', '', 'text'), 'text'],
    ['a line of a mailbox file', mail('From ups@a.test Mon Jan  1', '', 'text'), 'text'],
    ['no lines', mail('', 'text'), 'text'],
  ])('is the body where the header has %s', async (_what, raw, text) => {
    expect((await parseMessage(raw)).text).toBe(text);
  });

  it.each([mail('Subject: a'), mail('Subject: a', '', ''), mail('', '')])(
    'stays empty where there is none: %j',
    async (raw) => {
      expect((await parseMessage(raw)).text?.trim() ?? '').toBe('');
    },
  );
});
