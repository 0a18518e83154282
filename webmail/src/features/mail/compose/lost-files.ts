import type { DraftDto } from '@selvage/core/contracts/drafts';
import type { WritableAtom } from 'nanostores';
import { wordsOf } from '../../../lib/i18n.ts';
import { unsentWords } from '../../../words/compose-unsent.ts';
import { carriedFiles, type Composition } from './composition.ts';

/** The names of files that the message showed and that its new draft does not have. */
export function lostFiles(
  shown: Pick<Composition, 'origin' | 'dropped'>,
  { attachments }: Pick<DraftDto, 'attachments'>,
): string[] {
  const present = new Set(attachments.map((file) => file.original_name));
  const t = wordsOf(unsentWords);
  const lost = carriedFiles(shown).filter((file) => !present.has(file.original_name));
  return lost.map(({ original_name: name }) => t.fileLost({ name }));
}

interface Leaving {
  composition: WritableAtom<Composition>;
  /** Why files were left out. */
  fileProblems: WritableAtom<readonly string[]>;
}

/** Lets a message continue without its draft, and without the files that only the draft had. */
export function leaveDraft({ composition, fileProblems }: Leaving): void {
  const now = composition.get();
  if (now.origin.kind !== 'draft') return;
  fileProblems.set(lostFiles(now, { attachments: [] }));
  composition.set({ ...now, origin: { kind: 'new' } });
}
