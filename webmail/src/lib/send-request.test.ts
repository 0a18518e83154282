import { describe, expect, it } from 'vitest';
import { toFormData } from './multipart.ts';
import { secondsOf, urlOf } from './send-request.ts';

describe('secondsOf', () => {
  it('waits five seconds when the server names no time', () => {
    expect(secondsOf(null)).toBe(5);
    expect(secondsOf('soon')).toBe(5);
  });
  it('reads seconds and dates', () => {
    expect(secondsOf('12')).toBe(12);
    expect(secondsOf('Sat, 21 Nov 2026 12:00:07 GMT', Date.parse('2026-11-21T12:00:00Z'))).toBe(7);
  });
});

describe('urlOf', () => {
  it('fills in path parameters and leaves out what is not set', () => {
    const url = urlOf({ path: '/mail/get/:id' }, { params: { id: '4/5' }, query: { page: 2, search: undefined } });
    expect(url).toBe('/api/v1/mail/get/4%2F5?page=2');
  });
});

describe('toFormData', () => {
  it('repeats lists under name[] and sends files as attachments', () => {
    const form = toFormData({ recipient_emails_to: ['a@b.example', 'c@d.example'], subject: 'Hi' }, [
      new File(['x'], 'x.txt'),
    ]);
    expect(form.getAll('recipient_emails_to[]')).toEqual(['a@b.example', 'c@d.example']);
    expect(form.get('subject')).toBe('Hi');
    expect(form.getAll('attachments')).toHaveLength(1);
  });
});
