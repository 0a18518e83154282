import { maxAvatarBytes } from '@selvage/core/contracts/profile';
import { useEffect, useState } from 'react';
import type { PictureChange } from './queries.ts';

const types = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

/** Says what is wrong with a picture before it is sent. */
export function pictureProblem(file: Pick<File, 'name' | 'size' | 'type'>): string | null {
  if (!types.includes(file.type)) {
    return `"${file.name}" is not a picture that we can show. Choose a PNG, JPEG, WebP or GIF file.`;
  }
  if (file.size <= maxAvatarBytes) return null;
  return `"${file.name}" is too large: a profile picture may be at most ${maxAvatarBytes / 1_048_576} MB.`;
}

/** The picture that is chosen but not saved yet, and how it will look. */
export function usePicture(saved: string | null, draft: PictureChange, onPreview: (address: string | null) => void) {
  const [change, setChange] = useState(draft);
  const [problem, setProblem] = useState<string | null>(null);

  useEffect(() => {
    if (change?.kind !== 'new') {
      onPreview(change?.kind === 'none' ? null : saved);
      return;
    }
    const address = URL.createObjectURL(change.file);
    onPreview(address);
    return () => URL.revokeObjectURL(address);
  }, [change, saved, onPreview]);

  const pick = (file: File): void => {
    const found = pictureProblem(file);
    setProblem(found);
    if (!found) setChange({ kind: 'new', file });
  };
  const remove = (): void => {
    setProblem(null);
    setChange(saved ? { kind: 'none' } : null);
  };
  const hasPicture = change ? change.kind === 'new' : saved !== null;
  return { change, problem, hasPicture, pick, remove };
}
