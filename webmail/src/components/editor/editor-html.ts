/**
 * Whether the text is empty: no words and no picture. Parsed apart from the page, so nothing of it
 * is loaded.
 */
export function isBlankHtml(html: string): boolean {
  const page = new DOMParser().parseFromString(html, 'text/html');
  return (page.body.textContent ?? '').replace(/[\s\u200b]/g, '') === '' && !page.querySelector('img');
}

/** The HTML of a copied picture is short, but for a picture that stands in it as text. */
const LONGEST_PICTURE = 5_000_000;

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
