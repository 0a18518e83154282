import { attachmentLimits } from '@selvage/core/contracts/mail';
import { fileSize } from '../../../lib/format.ts';
import { wordsOf } from '../../../lib/i18n.ts';
import { uniqueId } from '../../../lib/unique-id.ts';
import { type Sorted, sortFiles } from './attachments.ts';
import { carriedFiles } from './composition.ts';
import { isReadable } from './is-readable.ts';
import { fileProblemWords } from '../../../words/compose.ts';
import { shrinkPicture } from './shrink-picture.ts';
import { notReadable } from './unreadable-files.ts';
import type { OpenMessage } from './windows.ts';

/**
 * Attaches files that a person has chosen or dropped, as soon as it is known that they can be read.
 * Send waits for that.
 */
export function attachChosen(message: OpenMessage, chosen: File[]): void {
  message.preparing = Promise.all([message.preparing, attachReadable(message, chosen)]);
}

async function attachReadable(message: OpenMessage, chosen: File[]): Promise<void> {
  const tell = beginAttaching(message);
  const found = await Promise.all(chosen.map(async (file) => ({ file, isGood: await isReadable(file) })));
  const { problems, large } = attachFiles(
    message,
    found.flatMap(({ file, isGood }) => (isGood ? file : [])),
  );
  const unread = found.flatMap(({ file, isGood }) => (isGood ? [] : notReadable(file)));
  tell({ problems: [...unread, ...problems], large });
}

/** Why files were left out, and the pictures among them that could go in a smaller size. */
type LeftOut = Omit<Sorted, 'accepted'>;

/**
 * Begins to attach files, which takes its time. The returned function tells which of them were left
 * out, in place of what was said until now. What is said of other files meanwhile stays: the person
 * may not have read it yet.
 */
export function beginAttaching({ fileProblems, largePictures }: OpenMessage): (left: LeftOut) => void {
  const [problems, large] = [fileProblems.get(), largePictures.get()];
  return (left) => {
    const others = fileProblems.get().filter((problem) => !problems.includes(problem));
    fileProblems.set([...new Set([...left.problems, ...others])]);
    largePictures.set([...left.large, ...largePictures.get().filter((picture) => !large.includes(picture))]);
  };
}

/** Attaches files, and returns those that may not be sent, with the reasons. */
export function attachFiles(message: OpenMessage, chosen: File[]): LeftOut {
  const composition = message.composition.get();
  const all = [...composition.files, ...carriedFiles(composition)];
  const bytes = all.reduce((sum, { size }) => sum + size, 0);
  const { accepted, ...left } = sortFiles(chosen, { files: all.length, bytes });
  const added = accepted.map((file) => ({ id: uniqueId(), file }));
  for (const { id, file } of added) message.files.set(id, file);
  const files = added.map(({ id, file: { name, type, size } }) => ({ id, name, type, size }));
  if (added.length > 0) message.write({ files: [...composition.files, ...files] });
  return left;
}

/**
 * Attaches the pictures that were too large in a smaller size, or says which can't be. Send waits
 * until they are there.
 */
export function attachSmaller(message: OpenMessage): void {
  message.preparing = Promise.all([message.preparing, attachEachSmaller(message)]);
}

async function attachEachSmaller(message: OpenMessage): Promise<void> {
  const { fileProblems, largePictures } = message;
  const pictures = largePictures.get();
  largePictures.set([]);
  const made = await Promise.all(pictures.map(async (picture) => ({ picture, smaller: await shrinkPicture(picture) })));
  // The sentences about other files stay
  const t = wordsOf(fileProblemWords);
  const names = new Set(
    pictures.map(({ name }) => t.pictureTooLarge({ name, limit: fileSize(attachmentLimits.image) })),
  );
  const { problems } = attachFiles(
    message,
    made.flatMap(({ smaller }) => smaller ?? []),
  );
  const failed = made.flatMap(({ picture: { name }, smaller }) => (smaller ? [] : [t.notSmaller({ name })]));
  const others = fileProblems.get().filter((problem) => !names.has(problem));
  fileProblems.set([...others, ...failed, ...problems]);
}

export function removeFile(message: OpenMessage, id: string): void {
  message.files.delete(id);
  message.write({ files: message.composition.get().files.filter((file) => file.id !== id) });
}

/** Leaves out a file that the server would otherwise add. */
export function dropCarried(message: OpenMessage, id: string): void {
  message.write({ dropped: [...message.composition.get().dropped, id] });
}
