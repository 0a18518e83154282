import { expect, it } from 'vitest';
import { parseSearch } from '../search-index/search-query.ts';
import { findMarks, findSnippet } from './find-marks.ts';

/** The text with what is marked in brackets. */
function marked(text: string, question: string): string {
  const marks = findMarks(text, 'subject', parseSearch(question).terms);
  return marks.reduceRight(
    (rest, [from, to]) => `${rest.slice(0, from)}[${rest.slice(from, to)}]${rest.slice(to)}`,
    text,
  );
}

it.each([
  ['The mill', 'mill', 'The [mill]'],
  ['東京都の価格', '東京', '[東京]都の価格'],
  ['東京都の価格', '東京都', '[東京都]の価格'],
  ['会議室A の予約', '会議室A', '[会議室A] の予約'],
  ['請求書_2024.pdf', '請求書_2024', '[請求書_2024].pdf'],
  ['東京2020大会', '2020大会', '東京[2020大会]'],
  ['第3回会議', '第3回', '[第3回]会議'],
  ['회의 자료 송부', '"회의 자료"', '[회의 자료] 송부'],
  ['Ihre Rech\u00adnung liegt bei', 'rechnung', 'Ihre [Rech\u00adnung] liegt bei'],
  ['東\u200b京都', '東京', '[東\u200b京]都'],
  ['IŞIK sokak', 'ışık', '[IŞIK] sokak'],
  ['一二 二三', '"一二 二三"', '[一二 二三]'],
])('marks in %s what %s has found', (text, question, shown) => {
  expect(marked(text, question)).toBe(shown);
});

it('shows the words around a hit as the reader sees them', () => {
  const snippet = findSnippet('Ihre\nRech\u00adnung\u200b liegt bei', parseSearch('rechnung').terms);
  expect(snippet).toEqual({ text: 'Ihre Rechnung liegt bei', marks: [[5, 13]] });
});
