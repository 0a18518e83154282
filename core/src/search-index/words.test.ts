import { expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { indexedWords, placedWords } from './words.ts';

/** Stands where a word is left out. */
const further = '\ue000';

it.each([
  ['Grüße aus Zürich', 'grusse aus zurich'],
  ['ana.test@x.test', 'ana test x test'],
  ['ＦＵＬＬ　ｗｉｄｔｈ', 'full width'],
  ['ﬁle №5', 'file no5'],
  ['東京都へ', '東京 京都 都へ へ'],
  ['価格abc円', '価格 格 abc 円'],
  ['が', 'が'],
  ['ｶﾞｷﾞﾊﾟ', 'ガギ ギパ パ'],
  ['שָׁלוֹם', 'שלום'],
  ['हिन्दी', 'हिन्दी'],
  ['สวัสดี', 'สว วั ัส สด ดี ี'],
  ['a_b-c', 'a b c'],
  ['IŞIK ışık DİYARBAKIR Diyarbakır', 'isik isik diyarbakir diyarbakir'],
  ['ΟΔΟΣ οδός ΟΔΟΣ.Α', 'οδοσ οδοσ οδοσ α'],
  ['Łukasz Sørensen Đặng', 'lukasz sorensen dang'],
  ['Rech\u00adnung Donau\u200bschiff re\u2060turn \ufeffone \u00ad two', 'rechnung donauschiff return one two'],
  ['東\u200b京都', '東京 京都 都'],
  ["'; DROP TABLE words; --", 'drop table words'],
  ['', ''],
])('makes words of %s', (text, words) => {
  expect(indexedWords(text, 1000)).toBe(words);
});

it('has a bounded number of places of one word, and the words around it keep their places', () => {
  const words = indexedWords('many once '.repeat(4000) + 'many twice many '.repeat(3), 300_000).split(' ');
  expect(words.filter((one) => one === 'many')).toHaveLength(4000);
  expect(words.slice(-5)).toEqual(['twice', further, further, 'twice', further]);
});

it('cuts long words and long texts', () => {
  expect(indexedWords('x'.repeat(100), 1000)).toBe('x'.repeat(40));
  expect(indexedWords('one two three', 7)).toBe('one two');
  expect(indexedWords('東'.repeat(300_000), 4000)).toHaveLength(11_998);
  // One character of this kind is eighteen others
  expect(indexedWords('\ufdfa'.repeat(100_000), 1000).length).toBeLessThanOrEqual(1000);
});

it.each([
  ['marks', '\u0315\u0300'],
  ['marks and soft hyphens', '\u0315\u00ad\u0300\u00ad'],
  ['half-width letters that become marks', '\u0301\uff9e\u0300\uff9f'],
])('is not held up by letters with thousands of %s', (_name, marks) => {
  const text = `a${marks.repeat(80_000 / marks.length)}`;
  const begin = cpuTimeMs();
  indexedWords(text, 1_000_000);
  placedWords(text);
  expect(cpuTimeMs() - begin).toBeLessThan(500);
});

it('says where words stand', () => {
  const text = 'Über Grüße';
  expect(placedWords(text).map(({ word, start, end }) => [word, text.slice(start, end)])).toEqual([
    ['uber', 'Über'],
    ['grusse', 'Grüße'],
  ]);
  expect(placedWords('A東京B').map(({ word, start }) => [word, start])).toEqual([
    ['a', 0],
    ['東', 1],
    ['京', 2],
    ['b', 3],
  ]);
});
