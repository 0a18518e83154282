import { attachmentLimits } from '@selvage/core/contracts/mail';
import { fileSize } from '../../../lib/format.ts';

export function limitFor(contentType: string): number {
  return contentType.startsWith('image/') ? attachmentLimits.image : attachmentLimits.other;
}

export interface Sorted {
  accepted: File[];
  /** One sentence a refused file, naming it and its limit (they are never dropped silently). */
  problems: string[];
}

/** Sorts chosen files into those that may go and those that may not. */
export function sortFiles(files: File[], alreadyAttached: number): Sorted {
  const accepted: File[] = [];
  const problems: string[] = [];
  for (const file of files) {
    const limit = limitFor(file.type);
    if (file.size > limit) {
      const kind = file.type.startsWith('image/') ? 'a picture' : 'a file';
      problems.push(`“${file.name}” is too large: ${kind} may have at most ${fileSize(limit)}.`);
    } else if (alreadyAttached + accepted.length >= attachmentLimits.files) {
      problems.push(`“${file.name}” was left out: at most ${attachmentLimits.files} files fit in one message.`);
    } else {
      accepted.push(file);
    }
  }
  return { accepted, problems };
}
