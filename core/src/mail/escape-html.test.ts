import { expect, it } from 'vitest';
import { escapeHtml } from './escape-html.ts';

it('makes text safe to stand in HTML, in an element and in a quoted attribute', () => {
  expect(escapeHtml(`<a href="x" title='y'>&amp;`)).toBe('&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;');
});
