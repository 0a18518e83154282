import type { AttachmentDto } from '@selvage/core/contracts/email';

/** Larger files are saved and opened elsewhere. */
const mostBytes = 10 * 1_048_576;
const mostPdfBytes = 25 * 1_048_576;
const pictures: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']);
const texts: ReadonlySet<string> = new Set(['text/plain', 'text/csv', 'text/markdown', 'application/json']);

/**
 * How a file can be looked at here: as a raster picture, as plain text, or as pictures of its pages
 * that pdf.js draws (D51). Null for everything else: what could run something, such as HTML and
 * SVG, is only ever saved (D19).
 */
export function previewOf({
  contentType,
  original_name: name,
  size,
}: AttachmentDto): 'picture' | 'text' | 'pdf' | null {
  const [type = ''] = contentType.toLowerCase().split(';');
  if (size === 0) return null;
  if (type.trim() === 'application/pdf' || (type.trim() === 'application/octet-stream' && /\.pdf$/i.test(name))) {
    return size <= mostPdfBytes ? 'pdf' : null;
  }
  if (size > mostBytes) return null;
  if (pictures.has(type.trim())) return 'picture';
  return texts.has(type.trim()) ? 'text' : null;
}

/** Beyond this a text is shown in part. */
const shownBytes = 262_144;

/** The beginning of a text file in its likely charset, and whether that is not all of it. */
export async function readText(file: Blob): Promise<{ text: string; isCut: boolean }> {
  const bytes = await file.slice(0, shownBytes).arrayBuffer();
  const isCut = file.size > shownBytes;
  return { text: decode(bytes, isCut), isCut };
}

function decode(bytes: ArrayBuffer, isCut: boolean): string {
  try {
    // The cut may go through a character, which is no error of the file
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
