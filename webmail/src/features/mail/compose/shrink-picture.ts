import { attachmentLimits } from '@selvage/core/contracts/mail';

/** The longest side of a picture that was made smaller; pixels. */
export const SHRUNK_SIDE = 2048;
/** JPEG qualities, in the order in which they are tried. */
const qualities = [0.85, 0.7, 0.5];

/** Whether a picture of this type can be redrawn. An animation would lose its movement. */
export function isShrinkable({ type }: Pick<File, 'type'>): boolean {
  return ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/bmp'].includes(type);
}

/** The sides of a picture that fits, in the same shape and never larger than before. */
export function shrunkSize(width: number, height: number): { width: number; height: number } {
  const share = Math.min(1, SHRUNK_SIDE / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * share)), height: Math.max(1, Math.round(height * share)) };
}

/**
 * A smaller copy of a picture, as JPEG within the limit of pictures; null when it can't be read or
 * does not become small enough.
 */
export async function shrinkPicture(file: File): Promise<File | null> {
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (bitmap === null) return null;
  const { width, height } = shrunkSize(bitmap.width, bitmap.height);
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d');
  if (context) {
    // JPEG has no transparency; what was transparent would be black
    context.fillStyle = 'white';
    context.fillRect(0, 0, width, height);
    context.drawImage(bitmap, 0, 0, width, height);
  }
  bitmap.close();
  if (!context) return null;
  for (const quality of qualities) {
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
    if (blob === null) return null;
    if (blob.size <= attachmentLimits.image) return new File([blob], jpegName(file.name), { type: 'image/jpeg' });
  }
  return null;
}

function jpegName(name: string): string {
  return `${name.replace(/\.[^.]{1,5}$/, '') || name}.jpg`;
}
