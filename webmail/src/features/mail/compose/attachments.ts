import { attachmentLimits } from '@selvage/core/contracts/mail';
import { fileSize } from '../../../lib/format.ts';

/** The limits in one line, to be read before a file is chosen. */
export const limitWords = `Pictures up to ${fileSize(attachmentLimits.image)}, other files up to ${fileSize(attachmentLimits.other)}, ${fileSize(attachmentLimits.total)} in all`;

export function limitFor(contentType: string): number {
  return contentType.startsWith('image/') ? attachmentLimits.image : attachmentLimits.other;
}

/** What the message holds already. */
export interface Attached {
  files: number;
  bytes: number;
}

export interface Sorted {
  accepted: File[];
  /** One sentence a refused file, naming it and its limit (they are never dropped silently). */
  problems: string[];
}

/** Sorts chosen files into those that may go and those that may not. */
export function sortFiles(files: File[], attached: Attached): Sorted {
  const accepted: File[] = [];
  const problems: string[] = [];
  let { bytes } = attached;
  for (const file of files) {
    const limit = limitFor(file.type);
    if (file.size > limit) {
      const kind = file.type.startsWith('image/') ? 'a picture' : 'a file';
      problems.push(`“${file.name}” is too large: ${kind} may have at most ${fileSize(limit)}.`);
    } else if (attached.files + accepted.length >= attachmentLimits.files) {
      problems.push(`“${file.name}” was left out: at most ${attachmentLimits.files} files fit in one message.`);
    } else if (bytes + file.size > attachmentLimits.total) {
      problems.push(
        `“${file.name}” was left out: all files together may have at most ${fileSize(attachmentLimits.total)}.`,
      );
    } else {
      bytes += file.size;
      accepted.push(file);
    }
  }
  return { accepted, problems };
}
