import { describe, expect, it } from 'vitest';
import { redate } from './redate.ts';

const raw = (date: string) => Buffer.from(`From: a@x.test\r\n${date}\r\nSubject: x\r\n\r\nDate: in the text\r\n`);

describe('redate', () => {
  it('changes the Date and nothing else', () => {
    const changed = redate(raw('Date: Mon, 23 Nov 2026 08:00:00 +0000'), new Date('2027-01-02T03:04:05Z'));
    expect(changed.toString()).toBe(raw('Date: Sat, 02 Jan 2027 03:04:05 +0000').toString());
  });

  it('refuses a Date that this host did not write', () => {
    const now = new Date();
    expect(() => redate(raw('Date: 23 Nov 2026 08:00:00 +0000'), now)).toThrow('cannot be replaced');
    expect(() => redate(raw('Date: Mon, 23 Nov 2026 08:00:00\r\n +0000'), now)).toThrow('cannot be replaced');
    expect(() => redate(raw('X-Date: Mon, 23 Nov 2026 08:00:00 +0000'), now)).toThrow('cannot be replaced');
  });
});
