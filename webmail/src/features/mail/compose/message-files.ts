import { attachmentLimits } from '@selvage/core/contracts/mail';
import { fileSize } from '../../../lib/format.ts';
import { wordsOf } from '../../../lib/i18n.ts';
import { uniqueId } from '../../../lib/unique-id.ts';
import { sortFiles } from './attachments.ts';
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
  const found = await Promise.all(chosen.map(async (file) => ({ file, isGood: await isReadable(file) })));
  attachFiles(
    message,
    found.flatMap(({ file, isGood }) => (isGood ? file : [])),
  );
  const problems = found.flatMap(({ file, isGood }) => (isGood ? [] : notReadable(file)));
  message.fileProblems.set([...problems, ...message.fileProblems.get()]);
}

/** Attaches files. The message names those that may not be sent, with the reason. */
export function attachFiles(message: OpenMessage, chosen: File[]): void {
  const composition = message.composition.get();
  const all = [...composition.files, ...carriedFiles(composition)];
  const bytes = all.reduce((sum, { size }) => sum + size, 0);
  const { accepted, problems, large } = sortFiles(chosen, { files: all.length, bytes });
  const added = accepted.map((file) => ({ id: uniqueId(), file }));
  for (const { id, file } of added) message.files.set(id, file);
  message.fileProblems.set(problems);
  message.largePictures.set(large);
  if (added.length === 0) return;
  const files = added.map(({ id, file: { name, type, size } }) => ({ id, name, type, size }));
  message.write({ files: [...composition.files, ...files] });
}

/**
 * Attaches the pictures that were too large in a smaller size, or says which can't be. Send waits
 * until they are there.
 */
export function attachSmaller(message: OpenMessage): void {
  message.preparing = Promise.all([message.preparing, attachEachSmaller(message)]);
}

async function attachEachSmaller(message: OpenMessage): Promise<void> {
  const pictures = message.largePictures.get();
  const before = message.fileProblems.get();
  message.largePictures.set([]);
  const made = await Promise.all(pictures.map(async (picture) => ({ picture, smaller: await shrinkPicture(picture) })));
  // The sentences about other files stay
  const t = wordsOf(fileProblemWords);
  const names = new Set(
    pictures.map(({ name }) => t.pictureTooLarge({ name, limit: fileSize(attachmentLimits.image) })),
  );
  attachFiles(
    message,
    made.flatMap(({ smaller }) => smaller ?? []),
  );
  const failed = made.flatMap(({ picture: { name }, smaller }) => (smaller ? [] : [t.notSmaller({ name })]));
  const others = before.filter((problem) => !names.has(problem));
  message.fileProblems.set([...others, ...failed, ...message.fileProblems.get()]);
}

export function removeFile(message: OpenMessage, id: string): void {
  message.files.delete(id);
  message.write({ files: message.composition.get().files.filter((file) => file.id !== id) });
}

/** Leaves out a file that the server would otherwise add. */
export function dropCarried(message: OpenMessage, id: string): void {
  message.write({ dropped: [...message.composition.get().dropped, id] });
}
