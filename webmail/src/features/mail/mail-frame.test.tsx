import { describe, expect, it } from 'vitest';
import { emptyMail, pageOf } from '../../test/mail-document.ts';
import { frameDocument } from './mail-frame.ts';

describe('a picture in a message', () => {
  const styleOf = (attributes: string): string => {
    const html = `<img src="/upload/1" ${attributes}>`;
    const image = pageOf(frameDocument({ ...emptyMail, html, isDark: false })).querySelector('img');
    return image?.getAttribute('style')?.replaceAll(/\s/g, '') ?? '';
  };

  it.each([
    ['as attributes', 'width="600" height="1"', 'aspect-ratio:600/1;height:auto;'],
    ['as styles', 'style="width: 6.5in; height: 3in"', 'width:6.5in;height:auto;aspect-ratio:6.5/3;'],
    [
      'as both',
      'width="624" height="300" style="width: 50px; height: 25px"',
      'width:50px;height:auto;aspect-ratio:50/25;',
    ],
  ])('keeps the ratio of its measures, given %s', (_how, attributes, style) => {
    expect(styleOf(attributes)).toBe(style);
  });

  it.each(['', 'width="600"', 'width="100%" height="20"', 'width="0" height="0"', 'width="." height="1"'])(
    'keeps its own ratio where the measures tell none: %s',
    (attributes) => expect(styleOf(attributes)).toBe(''),
  );
});
