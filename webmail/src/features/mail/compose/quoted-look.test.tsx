import { sanitizeMailHtml } from '@selvage/core/mail/sanitize-html';
import { expect, it } from 'vitest';
import { forwardPrefill, replyPrefill } from './quoting.ts';
import { textOfHtml } from './text-of-html.ts';

/** A received message, as the server gives its text. */
function received(source: string) {
  const { html: body, sheet } = sanitizeMailHtml(source, { inlineImages: new Map() });
  return {
    sender_name: 'Anna',
    sender_email: 'anna@mills.example',
    recipient_emails_to: ['ada@selvage.example'],
    recipient_emails_cc: [],
    reply_to: [],
    send_status: false,
    received_status: true,
    subject: 'Lot',
    body,
    sheet,
    createdAt: '2026-11-21T12:00:00Z',
  };
}

/** The quoted text in an answer to a page with this sheet. */
function quoted(sheet: string, body: string): HTMLElement {
  const email = received(`<html><head><style>${sheet}</style></head><body>${body}</body></html>`);
  const page = new DOMParser().parseFromString(replyPrefill(email, [], false, '').body, 'text/html');
  return page.querySelector('blockquote') as HTMLElement;
}

it.each([
  ['by its sheet', '.pre { display: none !important }', '<div class="pre">Secret</div>'],
  ['by an id', '#pre { display:none }', '<span id="pre">Secret</span>'],
  ['by a rule for tables', 'table.phone td { display: none }', '<table class="phone"><tr><td>Secret</td></tr></table>'],
  ['as invisible', '.pre { visibility: hidden; font-size: 1px }', '<div class="pre">Secret</div>'],
  ['as transparent', '.pre { opacity: 0 }', '<div class="pre">Secret</div>'],
  ['as of no height', '.pre { max-height: 0; overflow: hidden }', '<div class="pre">Secret</div>'],
  ['of itself', '', '<div style="max-height:0px;overflow:hidden;opacity:0;visibility:hidden">Secret</div>'],
  ['against its own style', '.pre { display: none !important }', '<p class="pre" style="display:block">Secret</p>'],
])('leaves what a message hides %s out of the quoted text', (_how, sheet, body) => {
  const email = received(`<style>${sheet}</style>${body}<p>Seen</p>`);
  for (const text of [replyPrefill(email, [], false, '').body, forwardPrefill(email, '').body]) {
    expect(textOfHtml(text)).toContain('Seen');
    expect(text).not.toContain('Secret');
  }
});

it.each([
  ['a rule that the element overrules', 'p { display: none }', '<p style="display:block">Seen</p>'],
  ['a rule that a later one overrules', '.a { display: none } .a { display: block }', '<p class="a">Seen</p>'],
  ['a rule that a closer one overrules', 'p.a { display: block } p { display: none }', '<p class="a">Seen</p>'],
  ['rules for phones', '@media (max-width: 600px) { .a { display: none !important } }', '<p class="a">Seen</p>'],
  ['rules for printing', '@media print { .a { display: none } }', '<p class="a">Seen</p>'],
  ['a rule for a pointer', 'p:hover { display: none }', '<p>Seen</p>'],
  ['a cell without gaps', 'td { font-size: 0 }', '<table><tr><td><p style="font-size:14px">Seen</p></td></tr></table>'],
  ['a clipped box of some height', '.a { max-height: 40px; overflow: hidden }', '<p class="a">Seen</p>'],
  [
    'a cell that is as wide as its table',
    'td { max-width: 0; overflow: hidden; white-space: nowrap }',
    '<table><tr><td>Seen</td></tr></table>',
  ],
  ['a word that has no height', '', '<span style="max-height: 0; overflow: hidden">Seen</span>'],
  [
    'a visible part of a hidden one',
    '.a { visibility: hidden } .b { visibility: visible }',
    '<div class="a"><p class="b">Seen</p></div>',
  ],
])('keeps what is shown in spite of %s', (_what, sheet, body) => {
  expect(quoted(sheet, body).textContent).toContain('Seen');
});

it('takes the look along that the style sheet of a message gives it', () => {
  const sheet = `
    body { background: #102030; color: #fff; font-family: Georgia }
    .head td { background-color: navy; padding: 8px }
    p.MsoNormal { margin: 0 0 4px; color: #ff0000 }
    @media only screen and (min-width: 480px) { .half { width: 50% !important } }
    @media only screen and (max-width: 480px) { p.MsoNormal { color: lime } }`;
  const body = '<table class="head"><tr><td class="half">Lot</td></tr></table><p class="MsoNormal">Text</p>';
  const quote = quoted(sheet, body);
  expect(quote.querySelector('td')?.style.backgroundColor).toBe('navy');
  expect(quote.querySelector('td')?.style.width).toBe('50%');
  expect(quote.querySelector('p')?.style.color).toBe('rgb(255, 0, 0)');
  expect(quote.querySelector('p')?.style.marginBottom).toBe('4px');
  const paper = quote.firstElementChild as HTMLElement;
  expect(paper.style.color).toBe('rgb(255, 255, 255)');
  expect(paper.style.fontFamily).toBe('Georgia');
  expect(paper.style.backgroundColor || paper.style.background).toMatch(/#102030|rgb\(16, 32, 48\)/);
});
