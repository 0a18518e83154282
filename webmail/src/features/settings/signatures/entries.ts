import type { SignatureDto } from '@selvage/core/contracts/signatures';
import { wordsOf } from '../../../lib/i18n.ts';
import type { Problems } from '../../../lib/problems.ts';
import { signatureWords } from '../../../words/signatures.ts';
import { keyOfSaved, type UnsavedSignature } from './unsaved.ts';

/** A signature in the list: as it is saved, as it is being written, or both. */
export interface SignatureEntry {
  key: string;
  name: string;
  saved: SignatureDto | null;
  unsaved: UnsavedSignature | null;
}

/**
 * The saved ones by name as the server gives them, then the drafts of new ones. What was written in
 * one that was deleted elsewhere is the draft of a new one too.
 */
export function entriesOf(saved: SignatureDto[], unsaved: ReadonlyMap<string, UnsavedSignature>): SignatureEntry[] {
  const known = saved.map((signature) => {
    const key = keyOfSaved(signature._id);
    const change = unsaved.get(key) ?? null;
    return {
      key,
      name: change?.name ?? signature.signature_name,
      saved: signature,
      unsaved: change,
    };
  });
  const keys = new Set(known.map(({ key }) => key));
  const drafts = [...unsaved]
    .filter(([key]) => !keys.has(key))
    .map(([key, change]) => ({ key, name: change.name, saved: null, unsaved: change }));
  return [...known, ...drafts];
}

/** Compared without regard to capitals, as the server does it. */
function keyOf(name: string): string {
  return name.trim().normalize('NFKC').toLowerCase();
}

export function isNameTaken(name: string, entries: SignatureEntry[]): boolean {
  const key = keyOf(name);
  if (key === '') return false;
  return entries.some((entry) => keyOf(entry.name) === key || keyOf(entry.saved?.signature_name ?? '') === key);
}

/** What is wrong with a name beside those of the other signatures. */
export function checkFreeName(name: string, others: SignatureEntry[]): Problems {
  return isNameTaken(name, others) ? { signature_name: wordsOf(signatureWords).nameTaken } : {};
}
