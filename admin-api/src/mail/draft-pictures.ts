import type { App } from '@selvage/core/context/app';
import { firstMatches } from '@selvage/core/mail/first-matches';
import type { QuotedPicture } from '@selvage/core/mailstore/composed-images';
import { pictureOf, quotedPicture } from '@selvage/core/mailstore/quoted-picture';
import { readQuotedToken, signPath } from './signed-path.ts';

/*
 * Pictures of a quoted message have paths that work for an hour. A draft may be opened days later,
 * so it stores which picture of which message is meant, as `cid:quoted.<entry>.<part>`. What is
 * copied out of a shown message has the host before its path.
 */

const path = /(?:https?:\/\/[\w.:[\]-]+)?\/upload\/attachment\/([\w.-]+)/g;

/** More pictures than any real message quotes. A signature is computed for each. */
const maxPictures = 100;
/** The most places of a text that are looked at, since one picture may stand in very many. */
const maxPlaces = 10_000;

/**
 * The `quoted.<entry>.<part>` words for pictures of the person's own messages in the HTML of an
 * editor, by path.
 */
export function wordsOfPictures(app: App, userId: string, html: string): Map<string, string> {
  const tokens = new Map<string, string>();
  for (const [address, token = ''] of firstMatches(html, path, maxPlaces)) {
    tokens.set(address, token);
    if (tokens.size === maxPictures) break;
  }
  const words = new Map<string, string>();
  for (const [address, token] of tokens) {
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
  let opened = '';
  let end = 0;
  for (const match of firstMatches(html, quotedPicture, maxPlaces)) {
    const [word] = match;
    if (!paths.has(word) && paths.size < maxPictures) {
      const { entryId, index } = pictureOf(match);
      paths.set(word, JSON.stringify(signPath(app, 'attachment', [userId, entryId, String(index)])));
    }
    opened += html.slice(end, match.index) + (paths.get(word) ?? word);
    end = match.index + word.length;
  }
  return opened + html.slice(end);
}
