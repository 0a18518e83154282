import { expect, it } from 'vitest';
import { previewOf } from './preview.ts';

it('has the words of HTML that is nothing but a quotation, but no signs of it', () => {
  const html = '<blockquote><div>Dear Bob,</div><hr><blockquote>the prices</blockquote></blockquote>';
  expect(previewOf({ text: null, html })).toBe('Dear Bob, the prices');
});
