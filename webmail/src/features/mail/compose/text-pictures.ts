import { attachmentLimits, longestText } from '@selvage/core/contracts/mail';
import { readPicture, textPictureTypes } from '../../../components/editor/read-picture.ts';
import { wordsOf } from '../../../lib/i18n.ts';
import { fileProblemWords } from '../../../words/compose.ts';
import type { EditorText } from './editor-text.ts';
import { attachFiles } from './message-files.ts';
import { isShrinkable, shrinkPicture } from './shrink-picture.ts';
import type { OpenMessage } from './windows.ts';

/** Room that is left for words beside the pictures of a text; characters. */
const FOR_WORDS = 200_000;

/**
 * Puts pictures into the text, and attaches all other files. A picture that can't stand in the
 * text is attached too, and the person is told why.
 */
export function takeIntoText(message: OpenMessage, text: EditorText, files: File[]): void {
  const taken = takeEach(message, text, files);
  message.preparing = Promise.all([message.preparing, taken]);
}

async function takeEach(message: OpenMessage, text: EditorText, files: File[]): Promise<void> {
  const t = wordsOf(fileProblemWords);
  const problems: string[] = [];
  const large: File[] = [];
  const attach = (chosen: File[], note: string | null): void => {
    attachFiles(message, chosen);
    const refused = message.fileProblems.get();
    problems.push(...(refused.length === 0 && note !== null ? [note] : refused));
    large.push(...message.largePictures.get());
  };
  for (const file of files) {
    if (!file.type.startsWith('image/')) attach([file], null);
    else {
      const picture = await fitForText(file);
      const source = picture && (await readPicture(picture));
      const hasRoom = source !== null && text.html().length + source.length <= longestText - FOR_WORDS;
      if (hasRoom) text.insertPicture(source, picture?.name ?? file.name);
      else attach([picture ?? file], picture ? t.noRoomInText({ name: file.name }) : t.notInText({ name: file.name }));
    }
  }
  message.fileProblems.set(problems);
  message.largePictures.set(large);
}

/** The picture as it can stand in a text, in a smaller size if need be; null when it can't. */
async function fitForText(file: File): Promise<File | null> {
  const isShown = textPictureTypes.includes(file.type);
  if (isShown && file.size <= attachmentLimits.image) return file;
  return isShrinkable(file) ? await shrinkPicture(file) : null;
}
