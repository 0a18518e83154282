/**
 * Whether the text is empty: no words and no picture. Parsed apart from the page, so nothing of it
 * is loaded.
 */
export function isBlankHtml(html: string): boolean {
  const page = new DOMParser().parseFromString(html, 'text/html');
  return (page.body.textContent ?? '').replace(/[\s\u200b]/g, '') === '' && !page.querySelector('img');
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
