import type { QuotedPicture } from './composed-images.ts';

/**
 * How a draft names a picture of a message that it quotes: by the entry, or the message of a copy
 * of a mailbox, and the position of the file. Paths of pictures work for an hour, and a draft may
 * be opened days later.
 */
export const quotedPicture = /"cid:quoted\.(c?)(\d{1,20})\.(\d{1,9})"/g;

/** The picture that a match of `quotedPicture` names. Zeros before the number mean nothing. */
export function pictureOf([, mark = '', id = '', index = '']: RegExpExecArray): QuotedPicture {
  return { entryId: `${mark}${BigInt(id)}`, index: Number(index) };
}
