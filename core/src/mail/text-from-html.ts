import sanitizeHtml from 'sanitize-html';
import { LineWriter } from './line-writer.ts';
import { hideLoneSigns, revealHidden } from './lone-signs.ts';
import { NestedTooDeeply, NestingGuard, stripTags } from './nesting-guard.ts';

/** HTML 13.1.2.5: it is no part of the text. */
const firstLineEnd = /(<pre\b[^<>]*>)\r?\n/gi;
const silent = ['script', 'style', 'textarea', 'option', 'xmp', 'title', 'noscript', 'template', 'svg', 'math'];

/**
 * HTML as a person would write it as plain text: lines and spaces as they are shown, signs before
 * quotations and the items of lists, and the targets of links in angle brackets after their words.
 */
export function textFromHtml(html: string): string {
  return write(html, new LineWriter());
}

/** The same without signs for quotations and ruled lines, to search in or to begin a row with. */
export function wordsFromHtml(html: string): string {
  return write(html, new LineWriter({ isMarked: false }));
}

function write(html: string, writer: LineWriter): string {
  try {
    addHtml(html, writer);
  } catch (error) {
    if (!(error instanceof NestedTooDeeply)) throw error;
    return stripTags(html).replace(/\s+/g, ' ').trim();
  }
  return revealHidden(writer.text())
    .replace(/^\s*\n/, '')
    .trimEnd();
}

function addHtml(html: string, writer: LineWriter): void {
  const guard = new NestingGuard();
  sanitizeHtml(hideLoneSigns(html.replace(firstLineEnd, '$1')), {
    allowedTags: [],
    allowedAttributes: {},
    nonTextTags: silent,
    disallowedTagsMode: 'discard',
    onOpenTag: (name, attributes) => {
      guard.open();
      writer.open(name, attributes);
    },
    onCloseTag: () => {
      guard.close();
      writer.close();
    },
    textFilter: (text) => {
      writer.add(unescapeHtml(text));
      return '';
    },
  });
}

function unescapeHtml(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}
