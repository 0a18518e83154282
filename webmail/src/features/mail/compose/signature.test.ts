import type { ContentModelBlock } from 'roosterjs';
import { describe, expect, it } from 'vitest';
import { replaceSignature } from './signature.ts';

function line(text: string): ContentModelBlock {
  const segments = text ? [{ segmentType: 'Text' as const, text, format: {} }] : [];
  return { blockType: 'Paragraph', segments, format: {} };
}

function container(id: string, lines: string[], tagName: 'div' | 'blockquote' = 'div'): ContentModelBlock {
  return {
    blockType: 'BlockGroup',
    blockGroupType: 'FormatContainer',
    tagName,
    blocks: lines.map(line),
    format: id ? { id } : {},
  };
}

/**
 * Reads the HTML that this file writes: lines with bars between them, in the signature's block or
 * alone.
 */
function parse(html: string): ContentModelBlock[] {
  const inner = /^<div id="([\w-]+)">(.*)<\/div>$/.exec(html);
  if (inner) return [container(inner[1] ?? '', (inner[2] ?? '').split('|').filter(Boolean))];
  return html.split('|').map(line);
}

function textOf(blocks: ContentModelBlock[]): string[] {
  return blocks.flatMap((block) => {
    if (block.blockType === 'BlockGroup') return textOf(block.blocks).map((text) => `> ${text}`);
    return block.blockType === 'Paragraph'
      ? [block.segments.map((segment) => (segment.segmentType === 'Text' ? segment.text : '')).join('')]
      : [];
  });
}

const place = (...lines: string[]) => container('selvage-signature', lines);

function replaced(blocks: ContentModelBlock[], previous: string, next: string): string[] {
  const body = { blocks };
  replaceSignature(body, parse, { previous, next });
  return textOf(body.blocks);
}

describe('replaceSignature', () => {
  it('replaces the old one and nothing else', () => {
    const blocks = [line('Hello'), line(''), place('Ana', 'Mills'), line('On Monday'), line('quoted')];
    expect(replaced(blocks, 'Ana|Mills', 'Ana Test')).toEqual(['Hello', '', '> Ana Test', 'On Monday', 'quoted']);
  });

  it('keeps what was typed before and after the old one in its place', () => {
    const blocks = [line('Hello'), place('my words', 'Ana', 'more words')];
    expect(replaced(blocks, 'Ana', 'Ana Test')).toEqual(['Hello', 'my words', '> Ana Test', 'more words']);
  });

  it('keeps an old one that was changed by hand', () => {
    expect(replaced([place('Ana, on leave')], 'Ana', 'Ana Test')).toEqual(['Ana, on leave', '> Ana Test']);
  });

  it('takes the old one away and finds its place again', () => {
    const body = { blocks: [line('Hello'), line(''), place('Ana'), line('quoted')] };
    replaceSignature(body, parse, { previous: 'Ana', next: '' });
    expect(textOf(body.blocks)).toEqual(['Hello', '', 'quoted']);
    replaceSignature(body, parse, { previous: '', next: 'Bo' });
    expect(textOf(body.blocks)).toEqual(['Hello', '', '> Bo', '', 'quoted']);
  });

  it('stands above the quote when its place was deleted', () => {
    const quote = [container('selvage-quote', ['On Monday:']), container('', ['quoted'], 'blockquote')];
    expect(replaced([line('Hello'), ...quote], '', 'Ana')).toEqual([
      'Hello',
      '',
      '> Ana',
      '',
      '> On Monday:',
      '> quoted',
    ]);
    const draft = [line('Hello'), line('On Monday:'), container('', ['quoted'], 'blockquote')];
    expect(replaced(draft, '', 'Ana')).toEqual(['Hello', '', '> Ana', '', 'On Monday:', '> quoted']);
  });
});
