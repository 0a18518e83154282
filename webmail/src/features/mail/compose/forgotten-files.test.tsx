import { describe, expect, it } from 'vitest';
import { hasForgottenFiles } from './forgotten-files.ts';
import { quoteHead, signatureHtml } from './signature.ts';

const base = { origin: { kind: 'new' }, dropped: [], files: [], subject: 'x' } as const;
const asks = (html: string) => hasForgottenFiles({ ...base, html });

describe('hasForgottenFiles', () => {
  it.each([
    '<div>The terms are attached.</div>',
    '<p>See the ATTACHMENT</p>',
    '<div>Please find enclosed<br>the plan</div>',
    '<div>Anbei der Plan</div>',
    '<div>Im Anhang, wie besprochen</div>',
    '<div>Die beigefügten Unterlagen</div>',
    '<div>one</div><div>attached</div><div>two</div>',
    '<div>資料を添付いたします。</div>',
    '<div>请查看附件中的合同。</div>',
    '<div>자료를 첨부합니다.</div>',
  ])('asks about %s', (html) => expect(asks(html)).toBe(true));

  it.each([
    '<div>Unattached, and detachments as well</div>',
    '<div>Der Anhänger steht bereit</div>',
    '<div>ありがとうございます。谢谢。감사합니다.</div>',
    '<div>Thank you</div><blockquote><div>It is attached.</div></blockquote>',
    `<div>Thank you</div>${quoteHead('It is attached, Ana wrote:')}<div>attached</div>`,
    `<div>Thank you</div>${signatureHtml('<div>The attached is confidential</div>')}`,
    '<div>Look</div><div>---------- Forwarded message ----------</div><div>It is attached.</div>',
  ])('does not ask about %s', (html) => expect(asks(html)).toBe(false));

  it('does not ask when there is a file, or one that the server adds', () => {
    const html = '<div>attached</div>';
    const file = { id: '1', name: 'a', type: 'text/plain', size: 1 };
    expect(hasForgottenFiles({ ...base, html, files: [file] })).toBe(false);
    const carried = { _id: '2', showData: true } as never;
    const origin = { kind: 'forward', emailId: '1', files: [carried] } as const;
    expect(hasForgottenFiles({ ...base, html, origin })).toBe(false);
    expect(hasForgottenFiles({ ...base, html, origin, dropped: ['2'] })).toBe(true);
  });
});
