import { expect, it } from 'vitest';
import { visibleText } from './visible-text.ts';

it('shows what would be invisible, or would turn the text around, as its code', () => {
  expect(visibleText('550 no\r\nX: \u202egnp.exe\u0000')).toBe(String.raw`550 no\u000d\u000aX: \u202egnp.exe\u0000`);
  expect(visibleText('a\u200bb@x.test')).toBe(String.raw`a\u200bb@x.test`);
  expect(visibleText('<b>550</b> ünïcode 好 "=1+1"')).toBe('<b>550</b> ünïcode 好 "=1+1"');
});
