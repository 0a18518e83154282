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
