import type { AttachmentDto } from '@selvage/core/contracts/email';
import { ApiError, messageForStatus } from '../../lib/api-error.ts';
import { noteNetworkError } from '../../lib/http.ts';
import { wordsOf } from '../../lib/i18n.ts';
import { saveFile, savePath } from '../../lib/save-file.ts';
import { readingWords } from '../../words/reading.ts';

async function ask(path: string, request: RequestInit = {}): Promise<Response> {
  const response = await fetch(path, request).catch((error: unknown) => {
    throw noteNetworkError(error);
  });
  if (!response.ok) {
    const text = response.status === 404 ? wordsOf(readingWords).linkRanOut : messageForStatus(response.status);
    throw new ApiError(text, { status: response.status });
  }
  return response;
}

/**
 * The file gets its media type from the header, because older browsers leave the charset out of the
 * type of `response.blob()`.
 */
export async function fetchAttachment(
  attachment: Pick<AttachmentDto, 'file_path'>,
  signal?: AbortSignal,
): Promise<Blob> {
  const response = await ask(attachment.file_path, { signal: signal ?? null });
  const file = await response.blob();
  return file.slice(0, file.size, response.headers.get('Content-Type') ?? file.type);
}

/** Larger than the header of any real message. */
const BEGINNING_BYTES = 131_072;

/** The beginning of a file as text; the rest of it is not loaded. */
export async function fetchBeginning(path: string, signal: AbortSignal): Promise<string> {
  const reader = (await ask(path, { signal })).body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let size = 0; reader && size < BEGINNING_BYTES; ) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    text += decoder.decode(value, { stream: true });
  }
  await reader?.cancel();
  return text;
}

/** Saves the file under its own name. */
export async function saveAttachment(attachment: AttachmentDto): Promise<void> {
  saveFile(attachment.original_name, await fetchAttachment(attachment));
}

/**
 * Lets the browser itself download an archive of all files, so that the page never holds it in
 * memory.
 */
export async function saveAllFiles(path: string): Promise<void> {
  await ask(path, { method: 'HEAD' });
  savePath(path);
}
