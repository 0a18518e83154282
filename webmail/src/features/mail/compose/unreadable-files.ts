import type { WritableAtom } from 'nanostores';
import { wordsOf } from '../../../lib/i18n.ts';
import { fileProblemWords } from '../../../words/compose.ts';
import { changed, type Composition } from './composition.ts';
import { isReadable } from './is-readable.ts';

/** Why a file is left out that the browser can't read. */
export function notReadable({ name }: Pick<File, 'name'>): string {
  return wordsOf(fileProblemWords).notReadable({ name });
}

interface WithFiles {
  composition: WritableAtom<Composition>;
  files: Map<string, File>;
  /** Why files were left out. */
  fileProblems: WritableAtom<readonly string[]>;
}

/**
 * Takes out files that can no longer be read, and says so. The upload of such a file breaks off as
 * if there were no connection, so the message could neither be saved nor sent with it.
 */
export async function leaveOutUnreadable({ composition, files, fileProblems }: WithFiles): Promise<void> {
  for (const chosen of composition.get().files) {
    const file = files.get(chosen.id);
    if (!file || (await isReadable(file))) continue;
    files.delete(chosen.id);
    const now = composition.get();
    composition.set(changed(now, { files: now.files.filter(({ id }) => id !== chosen.id) }));
    fileProblems.set([...fileProblems.get(), notReadable(chosen)]);
  }
}
