import sanitizeHtml from 'sanitize-html';
import { LineWriter } from './line-writer.ts';
import { hideLoneSigns, revealHidden } from './lone-signs.ts';
import { ElementGuard, stripTags, TooManyElements } from './element-guard.ts';

/** HTML 13.1.2.5: this line end does not belong to the text. */
const firstLineEnd = /(<pre\b[^<>]*>)\r?\n/gi;
const silent = ['script', 'style', 'textarea', 'option', 'xmp', 'title', 'noscript', 'template', 'svg', 'math'];

/**
 * HTML in the form in which a person would write it as plain text: lines and spaces as they are
 * shown, marks before quotations and list items, and the targets of links in angle brackets after
 * their words.
 */
export function textFromHtml(html: string): string {
  return write(html, new LineWriter());
}

/** The same without marks for quotations and ruled lines, for the search and for previews. */
export function wordsFromHtml(html: string): string {
  return write(html, new LineWriter({ isMarked: false }));
}

function write(html: string, writer: LineWriter): string {
  try {
    addHtml(html, writer);
  } catch (error) {
    if (!(error instanceof TooManyElements)) throw error;
    return stripTags(html).replace(/\s+/g, ' ').trim();
  }
  return revealHidden(writer.text())
    .replace(/^\s*\n/, '')
    .trimEnd();
}

function addHtml(html: string, writer: LineWriter): void {
  const guard = new ElementGuard();
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
