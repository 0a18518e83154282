import { maxAvatarBytes } from '@selvage/core/contracts/profile';
import { useEffect, useState } from 'react';
import { wordsOf } from '../../lib/i18n.ts';
import { profileWords } from '../../words/profile.ts';

/** What becomes of the picture: a new one, none, or as it is. */
export type PictureChange = { kind: 'new'; file: File } | { kind: 'none' } | null;

const types = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];
const MEGABYTE = 1_048_576;

/** Says what is wrong with a picture before it is sent. */
export function pictureProblem({ name, size, type }: Pick<File, 'name' | 'size' | 'type'>): string | null {
  const t = wordsOf(profileWords);
  if (!types.includes(type)) return t.pictureType({ name });
  return size <= maxAvatarBytes ? null : t.pictureSize({ name, limit: maxAvatarBytes / MEGABYTE });
}

/**
 * How the person will look: the address of the picture that is chosen, or of the one that is saved.
 */
export function usePreview(change: PictureChange, saved: string | null): string | null {
  const [address, setAddress] = useState<string | null>(null);
  const file = change?.kind === 'new' ? change.file : null;
  useEffect(() => {
    if (!file) return setAddress(null);
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  if (change?.kind === 'none') return null;
  return file ? address : saved;
}
