import type { DraftDto } from '@selvage/core/contracts/drafts';
import type { WritableAtom } from 'nanostores';
import { wordsOf } from '../../../lib/i18n.ts';
import { unsentWords } from '../../../words/compose-unsent.ts';
import { carriedFiles, type Composition } from './composition.ts';

/** Names the files that a message showed, and that are not in the draft which it has become. */
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

/** A message goes on without the draft that it was, and without the files that only that had. */
export function leaveDraft({ composition, fileProblems }: Leaving): void {
  const now = composition.get();
  if (now.origin.kind !== 'draft') return;
  fileProblems.set(lostFiles(now, { attachments: [] }));
  composition.set({ ...now, origin: { kind: 'new' } });
}
