import { longestWithPictures } from '../contracts/mail.ts';
import { type Ctx, turnOf } from '../context/context.ts';
import { isDiskDamaged } from '../errors.ts';
import { firstMatches } from '../mail/first-matches.ts';
import { isUnreadable } from '../mail/parsed-message.ts';
import { pictureType } from '../mail/picture-type.ts';
import { isInlinePicture } from '../mail/sanitize-html.ts';
import type { QuotedPicture } from '../mailstore/composed-images.ts';
import { findAttachments } from '../mailstore/find-entry.ts';
import { pictureOf, quotedPicture } from '../mailstore/quoted-picture.ts';
import type { Draft } from '../models/draft.ts';

/** As many as a draft shows when it is opened. */
const mostPictures = 100;
const mostPlaces = 10_000;

/**
 * The text of a draft with the pictures of other messages in it. The draft itself names them by
 * their entries, which are others after a restore. A picture that is lost, or that would make the
 * text too long to be saved again, is left as it is named.
 */
export async function withQuotedPictures(ctx: Ctx, { userId, body }: Pick<Draft, 'userId' | 'body'>): Promise<string> {
  const words = new Map<string, QuotedPicture>();
  for (const match of firstMatches(body, quotedPicture, mostPlaces)) {
    words.set(match[0], pictureOf(match));
    if (words.size === mostPictures) break;
  }
  if (words.size === 0) return body;
  const pictures = new Map<string, string>();
  for (const [entryId, places] of Map.groupBy(words, ([, place]) => place.entryId)) {
    const indexes = [...new Set(places.map(([, { index }]) => index))];
    const found = await readPictures(ctx, { userId: String(userId), entryId, indexes });
    for (const [word, { index }] of places) {
      const address = found.get(index);
      if (address !== undefined) pictures.set(word, JSON.stringify(address));
    }
  }
  return replaceWhileShort(body, pictures);
}

/** The pictures of a message as `data:` addresses, by their positions. */
async function readPictures(
  ctx: Ctx,
  { userId, entryId, indexes }: { userId: string; entryId: string; indexes: readonly number[] },
): Promise<Map<number, string>> {
  // The size of the message is not known yet
  const bytes = 2 * ctx.app.config.maxMessageBytes;
  return await ctx.app.memory.run(turnOf(ctx), bytes, async () => {
    try {
      const files = await findAttachments(ctx, { userId, entryId, indexes });
      const addresses = [...files].flatMap(([index, { content }]): [number, string][] => {
        const address = `data:${pictureType(content) ?? ''};base64,${content.toString('base64')}`;
        return isInlinePicture(address) ? [[index, address]] : [];
      });
      return new Map(addresses);
    } catch (error) {
      if (isUnreadable(error) || isDiskDamaged(error)) return new Map();
      throw error;
    }
  });
}

/** Replaces the words by their pictures as long as the text may have them. */
function replaceWhileShort(body: string, pictures: ReadonlyMap<string, string>): string {
  let room = longestWithPictures - body.length;
  let text = '';
  let end = 0;
  for (const { 0: word, index } of firstMatches(body, quotedPicture, mostPlaces)) {
    const picture = pictures.get(word);
    if (picture === undefined || picture.length > room) continue;
    room -= picture.length;
    text += body.slice(end, index) + picture;
    end = index + word.length;
  }
  return text + body.slice(end);
}
