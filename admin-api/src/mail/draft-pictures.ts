import type { App } from '@selvage/core/context/app';
import type { QuotedPicture } from '@selvage/core/mailstore/composed-images';
import { readQuotedToken, signPath } from './signed-path.ts';

/*
 * Pictures of a quoted message have paths that work for an hour. A draft may be opened days later,
 * so it stores which picture of which message is meant, as `cid:quoted.<entry>.<part>`.
 */

const path = /\/upload\/attachment\/([\w.-]+)/g;
const kept = /"cid:quoted\.(\d{1,20})\.(\d{1,9})"/g;

/** More pictures than any real message quotes. A signature is computed for each. */
const MAX_PICTURES = 100;

/**
 * The `quoted.<entry>.<part>` words for pictures of the person's own messages in the HTML of an
 * editor, by path.
 */
export function wordsOfPictures(app: App, userId: string, html: string): Map<string, string> {
  const tokens = new Map([...html.matchAll(path)].map(([address, token = '']) => [address, token]));
  const words = new Map<string, string>();
  for (const [address, token] of [...tokens].slice(0, MAX_PICTURES)) {
    const [owner, entryId, part] = readQuotedToken(app, 'attachment', token) ?? [];
    if (owner === userId && entryId && part) words.set(address, `quoted.${entryId}.${part}`);
  }
  return words;
}

/** The picture of the person's own message at this path; null for any other address. */
export function pictureAt(app: App, userId: string, address: string): QuotedPicture | null {
  const token = /\/upload\/attachment\/([\w.-]+)$/.exec(address)?.[1];
  const [owner, entryId, index] = token ? (readQuotedToken(app, 'attachment', token) ?? []) : [];
  return owner === userId && entryId && index ? { entryId, index: Number(index) } : null;
}

/** Replaces the words in a stored draft by freshly signed paths. */
export function withPictures(app: App, userId: string, html: string): string {
  const paths = new Map<string, string>();
  return html.replaceAll(kept, (word, entryId: string, part: string) => {
    if (!paths.has(word) && paths.size < MAX_PICTURES) {
      paths.set(word, JSON.stringify(signPath(app, 'attachment', [userId, entryId, part])));
    }
    return paths.get(word) ?? word;
  });
}
