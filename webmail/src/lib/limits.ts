/* Limits as forms hold them: numbers as text, storage in gigabytes, and nothing for no limit. */

const GIGABYTE = 2 ** 30;

/** A limit in bytes as a form shows it, to a thousandth of a gigabyte. */
export function gigabytesOf(bytes: number | null): string {
  return bytes === null ? '' : String(Math.round((bytes / GIGABYTE) * 1000) / 1000);
}

/**
 * The bytes that a form means; NaN for a text that is no number. In `2,048` the comma may separate
 * thousands or a fraction, so that is no number either. A text that was not changed means the bytes
 * that it stands for, which it may show rounded.
 */
export function bytesOf(text: string, before: number | null = null): number | null {
  if (text.trim() === gigabytesOf(before)) return before;
  if (/^\s*\d{1,3}(?:,\d{3})+\s*$/.test(text)) return Number.NaN;
  return text.trim() === '' ? null : Math.round(Number(text.replace(',', '.')) * GIGABYTE);
}

/** The count that a form means. */
export function countOf(text: string): number | null {
  return text.trim() === '' ? null : Number(text);
}

/** Use at which a limit is near. */
export const NEAR_LIMIT = 0.9;
