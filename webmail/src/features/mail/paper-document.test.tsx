import { describe, expect, it } from 'vitest';
import { emptyMail, pageOf } from '../../test/mail-document.ts';
import { frameDocument } from './mail-frame.ts';
import { paperDocument } from './paper-document.ts';

describe('a message on paper', () => {
  const head = ['Lots', 'From: Ben'];

  it('has its subject and its people where no style of its sender reaches', () => {
    const sheet = 'header{display:none!important}';
    const page = pageOf(paperDocument({ ...emptyMail, head, html: '<p>Text</p>', sheet }));
    expect(page.querySelector('body > header')?.textContent).toBe('LotsFrom: Ben');
    expect(page.head.innerHTML).not.toContain(sheet);
    expect(page.querySelector('template')?.innerHTML).toContain(`<style>${sheet}</style>`);
  });

  it('looks as its sender styles the body', () => {
    const sheet = 'body,td.body{color:red}@media (max-width:9px){table body p{color:blue}}.somebody{color:green}';
    const page = pageOf(paperDocument({ ...emptyMail, head, sheet }));
    expect(page.querySelector('template')?.innerHTML).toContain(
      'mail-text,td.body{color:red}@media (max-width:9px){table mail-text p{color:blue}}.somebody{color:green}',
    );
  });

  it('folds nothing away', () => {
    const html = `<p>Answer</p><blockquote>${'The bales are damp. '.repeat(20)}</blockquote>`;
    expect(frameDocument({ ...emptyMail, html, isDark: false })).toContain('<details>');
    expect(paperDocument({ ...emptyMail, head, html })).not.toContain('<details>');
  });
});
