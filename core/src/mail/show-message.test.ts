import { describe, expect, it } from 'vitest';
import { parseMessage } from './parse-message.ts';
import { showMessage } from './show-message.ts';

it('shows HTML as text with its quotations, and one blank line at most between two others', async () => {
  const html = '<p>Yes.</p><p>&nbsp;</p><p><br></p><div>Bea wrote:</div><blockquote>One<br>Two</blockquote>';
  const parsed = await parseMessage(Buffer.from(`Content-Type: text/html\r\n\r\n${html}`));
  expect(showMessage(parsed, 'x', true).html.replace(/<div[^>]*>/g, '<div>')).toBe(
    '<div>Yes.\n\nBea wrote:</div><blockquote><div>One\nTwo</div></blockquote>',
  );
});

describe('a message that is too long', () => {
  const longer = 'This message is longer than what is shown here.';
  const show = async (html: string, asText = false) => {
    const parsed = await parseMessage(Buffer.from(`Content-Type: text/html\r\n\r\n${html}`));
    return showMessage(parsed, 'mark', asText).html;
  };
  const row = '<p class="one of some thousand rows of a report">Paid</p>\n';

  it.each([
    ['as HTML', row.repeat(110_000), false],
    ['as HTML that is not even read to its end', row.repeat(220_000), false],
    ['in its words alone', `${row}<!-- ${'x'.repeat(6_000_000)} --><p>Total</p>`, true],
  ])('says so %s', async (_how, html, asText) => {
    expect(await show(html, asText)).toContain(longer);
  });

  it('says nothing where all of it is shown', async () => {
    expect(await show(row.repeat(1000))).not.toContain(longer);
  });

  it('has a large picture that stands in its text', async () => {
    const picture = `data:image/png;base64,${'A'.repeat(4_000_000)}`;
    const html = await show(`<img src="${picture}"><p>Below</p>`);
    expect(html).toContain(picture);
    expect(html).not.toContain(longer);
  });
});

describe('a message with very many pictures', () => {
  const show = async (picture: (at: number) => string) => {
    const html = Array.from({ length: 20_000 }, (_, at) => picture(at)).join('');
    const file = 'Content-Type: image/png\r\nContent-ID: <a>\r\n\r\npng\r\n';
    const raw = `Content-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n${html}\r\n--b\r\n${file}--b--\r\n`;
    return showMessage(await parseMessage(Buffer.from(raw)), 'mark');
  };

  it('has those of the first that other servers have, and words in place of the others', async () => {
    const { html, hasRemoteContent } = await show((at) => `<img src="//a.test/${at}" alt="${at}">\n`);
    expect(html.match(/ data-remote-src="/g)).toHaveLength(2000);
    expect(html).toContain('data-remote-src="https://a.test/1999"');
    expect(html).toContain('<img alt="19999" />');
    expect(hasRemoteContent).toBe(true);
  });

  it('has those of the first that came with it', async () => {
    const { html, pictures } = await show(() => '<img src="cid:a">\n');
    expect(html.match(/cid:mark\.0/g)).toHaveLength(2000);
    expect(pictures).toEqual(['a']);
  });

  it('has all that stand in the text itself', async () => {
    const { html } = await show(() => '<img src="data:image/png;base64,AAAA">\n');
    expect(html.match(/base64,AAAA/g)).toHaveLength(20_000);
  });
});
