import type { AttachmentDto } from '@selvage/core/contracts/mail';
import { ApiError, messageForStatus } from '../../lib/api-error.ts';
import { networkError } from '../../lib/http.ts';
import { wordsOf } from '../../lib/i18n.ts';
import { saveFile } from '../../lib/save-file.ts';
import { readingWords } from '../../words/reading.ts';

export async function fetchAttachment(attachment: Pick<AttachmentDto, 'file_path'>): Promise<Blob> {
  const response = await fetch(attachment.file_path).catch((error: unknown) => {
    throw networkError(error);
  });
  if (!response.ok) {
    const text = response.status === 403 ? wordsOf(readingWords).linkRanOut : messageForStatus(response.status);
    throw new ApiError(text, { status: response.status });
  }
  return response.blob();
}

/** Saves the file under its own name. */
export async function saveAttachment(attachment: AttachmentDto): Promise<void> {
  saveFile(attachment.original_name, await fetchAttachment(attachment));
}
