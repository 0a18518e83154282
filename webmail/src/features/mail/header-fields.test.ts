import { expect, it } from 'vitest';
import { fieldsOf } from './header-fields.ts';

it('takes folded lines as one field, and names each once as the first', () => {
  const header = 'Received: from a\r\n\tby b; now\r\nSubject : Hello\r\nRECEIVED: from c\r\nno field at all';
  expect(fieldsOf(header)).toEqual({
    fields: [
      { text: 'Received: from a\r\n\tby b; now', name: 'received', isFirst: true },
      { text: 'Subject : Hello', name: 'subject', isFirst: true },
      { text: 'RECEIVED: from c', name: 'received', isFirst: false },
      { text: 'no field at all', name: '', isFirst: true },
    ],
    rest: '',
  });
});

it('leaves the rest of a huge header in one piece, and loses nothing', () => {
  const header = 'A: b\n'.repeat(20_000);
  const { fields, rest } = fieldsOf(header);
  expect(fields.length).toBe(200);
  expect(fields.map(({ text }) => `${text}\n`).join('') + rest).toBe(header);
});

it('reads a field of very many lines at once', () => {
  const header = `References: <a@x>${'\r\n <a@x>'.repeat(20_000)}`;
  expect(fieldsOf(header).fields.map(({ text }) => text)).toEqual([header]);
});
