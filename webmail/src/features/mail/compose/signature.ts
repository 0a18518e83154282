import type { ContentModelBlock, ContentModelBlockGroup } from 'roosterjs';
import { blankLine, lineHtml, QUOTE_ID } from '../../../components/editor/editor-html.ts';

/*
 * The signature of a message that is being written is a block with a known id, which is there even
 * while it is empty. The ids are only for the editor and are not sent.
 */

export const SIGNATURE_ID = 'selvage-signature';

/** The block of the signature; `clean` is sanitised HTML. */
export function signatureHtml(clean: string): string {
  return `<div id="${SIGNATURE_ID}">${clean}</div>${clean ? blankLine : ''}`;
}

/** The first line of what is quoted, above which a signature stands. */
export function quoteHead(html: string): string {
  return lineHtml(html, QUOTE_ID);
}

type Group = Pick<ContentModelBlockGroup, 'blocks'>;
type Container = Extract<ContentModelBlock, { blockType: 'BlockGroup' }>;

interface Place {
  group: Group;
  index: number;
}

/**
 * Replaces the signature, and leaves everything else as it is. Text that the person typed into the
 * old signature stays, before or after the new one. `parse` makes blocks out of HTML. An empty
 * `next` only removes the old signature.
 */
export function replaceSignature(
  body: Group,
  parse: (html: string) => ContentModelBlock[],
  { previous, next }: { previous: string; next: string },
): void {
  const [container] = parse(`<div id="${SIGNATURE_ID}">${next}</div>`);
  if (!container) return;
  const place = findById(body, SIGNATURE_ID);
  if (!place) {
    if (next) insertWithGaps(body, indexAboveQuote(body), container);
    return;
  }
  const old = place.group.blocks[place.index] as Container;
  const { before, after } = ownLines(old.blocks, previous ? parse(previous) : []);
  place.group.blocks.splice(place.index, 1, ...before, ...after);
  const index = place.index + before.length;
  const wasEmpty = isBlank(old.blocks);
  if (wasEmpty && next) insertWithGaps(place.group, index, container);
  else place.group.blocks.splice(index, 0, container);
}

function insertWithGaps(group: Group, index: number, container: ContentModelBlock): void {
  const before = group.blocks[index - 1];
  const after = group.blocks[index];
  const gapBefore = before && !isBlank([before]) ? [emptyLine()] : [];
  const gapAfter = after && !isBlank([after]) ? [emptyLine()] : [];
  group.blocks.splice(index, 0, ...gapBefore, container, ...gapAfter);
}

function emptyLine(): ContentModelBlock {
  return { blockType: 'Paragraph', segments: [{ segmentType: 'Br', format: {} }], format: {} };
}

/**
 * The blocks in the signature's place that are not the inserted signature. If the person has
 * changed the signature itself, these are all of them.
 */
function ownLines(
  blocks: ContentModelBlock[],
  original: ContentModelBlock[],
): { before: ContentModelBlock[]; after: ContentModelBlock[] } {
  const lines = blocks.map(wordsOf);
  const known = original.map(wordsOf);
  const start = lines.findIndex((_line, index) => known.every((line, offset) => lines[index + offset] === line));
  if (start === -1 || known.length === 0) return { before: withoutBlank(blocks), after: [] };
  return { before: withoutBlank(blocks.slice(0, start)), after: withoutBlank(blocks.slice(start + known.length)) };
}

function withoutBlank(blocks: ContentModelBlock[]): ContentModelBlock[] {
  return isBlank(blocks) ? [] : blocks;
}

function isBlank(blocks: ContentModelBlock[]): boolean {
  return blocks.every((block) => wordsOf(block) === '');
}

function indexAboveQuote(body: Group): number {
  const head = body.blocks.findIndex((block) => isContainer(block) && block.format.id === QUOTE_ID);
  if (head !== -1) return head;
  const quote = body.blocks.findIndex((block) => isContainer(block) && block.tagName === 'blockquote');
  if (quote === -1) return body.blocks.length;
  const above = body.blocks[quote - 1];
  // A line such as "On … Ann wrote:"
  return above && wordsOf(above).endsWith(':') ? quote - 1 : quote;
}

type FormatContainer = Extract<Container, { blockGroupType: 'FormatContainer' }>;

function isContainer(block: ContentModelBlock): block is FormatContainer {
  return block.blockType === 'BlockGroup' && block.blockGroupType === 'FormatContainer';
}

function findById(group: Group, id: string): Place | null {
  for (const [index, block] of group.blocks.entries()) {
    if (isContainer(block) && block.format.id === id) return { group, index };
    const inner = block.blockType === 'BlockGroup' ? findById(block, id) : null;
    if (inner) return inner;
  }
  return null;
}

/** The text and the pictures of a block, for a comparison. */
function wordsOf(block: ContentModelBlock): string {
  switch (block.blockType) {
    case 'Paragraph':
      return block.segments
        .map((segment) => {
          if (segment.segmentType === 'Text') return segment.text;
          return segment.segmentType === 'Image' ? segment.src : '';
        })
        .join('')
        .replace(/[\s\u00a0\u200b]+/g, ' ')
        .trim();
    case 'BlockGroup':
      return block.blocks.map(wordsOf).join('\n').trim();
    case 'Table':
      return block.rows
        .map((row) => row.cells.map((cell) => cell.blocks.map(wordsOf).join('\n')).join('\t'))
        .join('\n');
    case 'Entity':
      return block.wrapper.textContent?.trim() ?? '';
    case 'Divider':
      return block.tagName;
  }
}
