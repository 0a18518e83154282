import { expect, it } from 'vitest';
import { parseMessage } from './parse-message.ts';
import { showMessage } from './show-message.ts';

it('shows HTML as text with its quotations, and one blank line at most between two others', async () => {
  const html = '<p>Yes.</p><p>&nbsp;</p><p><br></p><div>Bea wrote:</div><blockquote>One<br>Two</blockquote>';
  const parsed = await parseMessage(Buffer.from(`Content-Type: text/html\r\n\r\n${html}`));
  expect(showMessage(parsed, 'x', true).html.replace(/<div[^>]*>/g, '<div>')).toBe(
    '<div>Yes.\n\nBea wrote:</div><blockquote><div>One\nTwo</div></blockquote>',
  );
});
