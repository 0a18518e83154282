import { attachmentLimits } from '@selvage/core/contracts/mail';
import { fileSize } from '../../../lib/format.ts';
import { wordsOf } from '../../../lib/i18n.ts';
import { isShrinkable } from './shrink-picture.ts';
import { composeWords, fileProblemWords } from '../../../words/compose.ts';

/** The limits in one line, to be read before a file is chosen. */
export function limitWords(): string {
  const { image, other, total } = attachmentLimits;
  const values = { image: fileSize(image), other: fileSize(other), total: fileSize(total) };
  return wordsOf(composeWords).limits(values);
}

/** The files that the message has already. */
export interface Attached {
  files: number;
  bytes: number;
}

export interface Sorted {
  accepted: File[];
  /**
   * One sentence for each refused file, with its name and the limit (files are never dropped
   * silently, D19).
   */
  problems: string[];
  /** Pictures that are too large, but could be sent in a smaller size. */
  large: File[];
}

/** Sorts chosen files into those that may go and those that may not. */
export function sortFiles(files: File[], attached: Attached): Sorted {
  const accepted: File[] = [];
  const problems: string[] = [];
  const large: File[] = [];
  let { bytes } = attached;
  for (const file of files) {
    const problem = problemOf(file, { files: attached.files + accepted.length, bytes });
    if (problem !== null) {
      problems.push(problem);
      if (file.size > attachmentLimits.image && isShrinkable(file)) large.push(file);
    } else {
      bytes += file.size;
      accepted.push(file);
    }
  }
  return { accepted, problems, large };
}

function problemOf({ name, size, type }: File, attached: Attached): string | null {
  const t = wordsOf(fileProblemWords);
  const { image, other, total, files: most } = attachmentLimits;
  const isPicture = type.startsWith('image/');
  if (isPicture && size > image) return t.pictureTooLarge({ name, limit: fileSize(image) });
  if (size > other) return t.fileTooLarge({ name, limit: fileSize(other) });
  if (attached.files >= most) return t.tooMany({ name, most });
  return attached.bytes + size > total ? t.tooMuch({ name, limit: fileSize(total) }) : null;
}
