/*
 * The title of the tab: a sign, such as how many messages are unread, and the name of the page.
 * Each is set by a part of the app that knows nothing of the other.
 */
let sign = '';
let page = document.title;

/** Names the page; answers the name before. */
export function nameTab(name: string): string {
  const before = page;
  page = name;
  document.title = sign + page;
  return before;
}

/** Puts a sign before the name of the page. */
export function signTab(text: string): void {
  sign = text;
  document.title = sign + page;
}
