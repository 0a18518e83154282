import { attachmentLimits, longestWithPictures } from '@selvage/core/contracts/mail';
import { readPicture, textPictureTypes } from '../../../components/editor/read-picture.ts';
import { wordsOf } from '../../../lib/i18n.ts';
import { fileProblemWords } from '../../../words/compose.ts';
import { isReadable } from './is-readable.ts';
import { attachFiles, beginAttaching } from './message-files.ts';
import { isShrinkable, shrinkPicture } from './shrink-picture.ts';
import type { OpenMessage } from './windows.ts';
import { notReadable } from './unreadable-files.ts';

/**
 * Puts pictures into the text, and attaches all other files. A picture that can't be put into the
 * text is attached too, and the person is told why.
 *
 * Shrinking a large picture takes time. By then another window may show the text. Without a window,
 * the picture is attached as a file.
 */
export function takeIntoText(message: OpenMessage, files: File[]): void {
  message.preparing = Promise.all([message.preparing, takeEach(message, files)]);
}

async function takeEach(message: OpenMessage, files: File[]): Promise<void> {
  const t = wordsOf(fileProblemWords);
  const tell = beginAttaching(message);
  const problems: string[] = [];
  const large: File[] = [];
  const attach = (chosen: File[], note: string | null): void => {
    const refused = attachFiles(message, chosen);
    problems.push(...(refused.problems.length === 0 && note !== null ? [note] : refused.problems));
    large.push(...refused.large);
  };
  for (const file of files) {
    if (!(await isReadable(file))) problems.push(notReadable(file));
    else if (message.composition.get().isPlain || !file.type.startsWith('image/')) attach([file], null);
    else {
      const picture = await fitForText(file);
      const source = picture && (await readPicture(picture));
      const html = message.shownText?.html() ?? message.composition.get().html;
      const hasRoom = source !== null && html.length + source.length <= longestWithPictures;
      if (hasRoom && message.shownText?.insertPicture(source, picture?.name ?? file.name)) continue;
      const note = picture ? t.noRoomInText({ name: file.name }) : t.notInText({ name: file.name });
      attach([picture ?? file], hasRoom ? null : note);
    }
  }
  tell({ problems, large });
}

/** The picture in a size that fits into a text; null when that is impossible. */
async function fitForText(file: File): Promise<File | null> {
  const isShown = textPictureTypes.includes(file.type);
  if (isShown && file.size <= attachmentLimits.image) return file;
  return isShrinkable(file) ? await shrinkPicture(file) : null;
}
