/*
 * The title of the tab: a prefix, such as how many messages are unread, and the name of the page.
 * Each is set by a part of the app that knows nothing of the other.
 */
let prefix = '';
let page = document.title;

/** Names the page; answers the name before. */
export function nameTab(name: string): string {
  const before = page;
  page = name;
  document.title = prefix + page;
  return before;
}

/** Puts a prefix before the name of the page. */
export function prefixTab(text: string): void {
  prefix = text;
  document.title = prefix + page;
}
