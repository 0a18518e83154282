/** How a text looks unless its writer chooses otherwise. */
export const textFont = { fontFamily: 'Segoe UI, Arial, sans-serif', fontSize: '11pt' } as const;

/**
 * A line that a text begins with. It names the font. Pasted text takes the look of its line, and a
 * line without a font looks different to each reader.
 */
export function lineHtml(html: string, id?: string): string {
  const { fontFamily, fontSize } = textFont;
  return `<div${id ? ` id="${id}"` : ''} style="font-family: ${fontFamily}; font-size: ${fontSize}">${html}</div>`;
}

export const blankLine = lineHtml('<br>');

/** The id of the first line of what is quoted. It is for the editor only, and doesn't go out. */
export const QUOTE_ID = 'selvage-quote';

/**
 * Whether the text is empty: no words and no picture. Parsed apart from the page, so nothing of it
 * is loaded.
 */
export function isBlankHtml(html: string): boolean {
  const page = new DOMParser().parseFromString(html, 'text/html');
  return (page.body.textContent ?? '').replace(/[\s\u200b]/g, '') === '' && !page.querySelector('img');
}

/** The longest HTML that can be one copied picture. The picture may be inside it as a data URL. */
const LONGEST_PICTURE = 5_000_000;

/**
 * The most characters that can be pasted at once. The editor takes a second or two for that many,
 * and its time grows faster than the text.
 */
const LONGEST_PASTE = { html: 400_000, text: 400_000 } as const;

/** How copied content is taken in: as it is, as its words alone, or not at all. */
export function fitOfPaste({ html, text }: { html: string; text: string }): 'whole' | 'words' | 'nothing' {
  if (html === '') return text.length <= LONGEST_PASTE.text ? 'whole' : 'nothing';
  // Pictures inside the HTML are long, but cost the editor little time
  const markup = html.length > LONGEST_PASTE.html ? html.replace(/data:image\/[^"'\s)>]+/g, '') : html;
  if (markup.length <= LONGEST_PASTE.html) return 'whole';
  return text !== '' && text.length <= LONGEST_PASTE.text ? 'words' : 'nothing';
}

/** Whether copied HTML is one picture and no words, as browsers copy a picture. */
export function isPictureAlone(html: string): boolean {
  if (html.length > LONGEST_PICTURE) return false;
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  return body.querySelectorAll('img').length === 1 && body.textContent?.trim() === '';
}

/**
 * The editor's HTML as it goes out: without the editor's own marks, with quoted pictures at their
 * places again.
 */
export function outgoingHtml(html: string): string {
  const page = new DOMParser().parseFromString(html, 'text/html');
  for (const image of page.querySelectorAll('img[data-remote-src]')) {
    image.setAttribute('src', image.getAttribute('data-remote-src') ?? '');
  }
  for (const element of page.querySelectorAll('*')) {
    element.removeAttribute('id');
    for (const name of element.getAttributeNames()) if (name.startsWith('data-')) element.removeAttribute(name);
  }
  for (const element of page.querySelectorAll('div:empty')) element.remove();
  return page.body.innerHTML;
}
