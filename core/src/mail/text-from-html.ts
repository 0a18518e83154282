import sanitizeHtml from 'sanitize-html';
import { hideLoneSigns, revealHidden } from './lone-signs.ts';
import { NestedTooDeeply, NestingGuard, stripTags } from './nesting-guard.ts';

const breaking = new Set(
  `
  address article aside blockquote br center dd div dl dt footer form header hr li main ol pre
  section table tr ul h1 h2 h3 h4 h5 h6
`
    .trim()
    .split(/\s+/),
);
const apart = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'table']);
const silent = ['script', 'style', 'textarea', 'option', 'xmp', 'title', 'noscript', 'template', 'svg', 'math'];

/**
 * Plain text of HTML: line breaks where blocks begin and end, and the targets of links in angle
 * brackets after their words.
 */
export function textFromHtml(html: string): string {
  try {
    return collectText(html);
  } catch (error) {
    if (!(error instanceof NestedTooDeeply)) throw error;
    return stripTags(html).replace(/\s+/g, ' ').trim();
  }
}

function collectText(html: string): string {
  const collector = new TextCollector();
  const guard = new NestingGuard();
  sanitizeHtml(hideLoneSigns(html), {
    allowedTags: [],
    allowedAttributes: {},
    nonTextTags: silent,
    disallowedTagsMode: 'discard',
    onOpenTag: (name, attributes) => {
      guard.open();
      collector.open(name, attributes);
    },
    onCloseTag: (name) => {
      guard.close();
      collector.close(name);
    },
    textFilter: (text) => {
      collector.add(unescapeHtml(text));
      return '';
    },
  });
  return revealHidden(collector.text());
}

function unescapeHtml(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}

class TextCollector {
  private readonly parts: string[] = [];
  private link: { href: string; from: number } | null = null;

  open(name: string, attributes: Record<string, string>): void {
    if (name === 'li') this.parts.push('\n- ');
    else if (name === 'td' || name === 'th') this.parts.push(' ');
    else if (apart.has(name)) this.parts.push('\n\n');
    else if (breaking.has(name)) this.parts.push('\n');
    else if (name === 'a') this.link = { href: attributes.href ?? '', from: this.parts.length };
    else if (name === 'img' && attributes.alt) this.parts.push(`[${attributes.alt.replace(/\s+/g, ' ')}]`);
  }

  close(name: string): void {
    if (apart.has(name)) this.parts.push('\n\n');
    else if (breaking.has(name) && name !== 'br') this.parts.push('\n');
    else if (name === 'a') this.closeLink();
  }

  add(text: string): void {
    this.parts.push(text.replace(/[ \t\r\n\f]+/g, ' '));
  }

  text(): string {
    return this.parts
      .join('')
      .split('\n')
      .map((line) => line.replace(/[ \u00a0]+/g, ' ').trim())
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim();
  }

  private closeLink(): void {
    if (!this.link) return;
    const { href, from } = this.link;
    this.link = null;
    const words = this.parts.slice(from).join('').trim();
    if (/^https?:\/\/\S{1,2000}$/i.test(href) && words !== '' && words !== href) this.parts.push(` <${href}>`);
  }
}
