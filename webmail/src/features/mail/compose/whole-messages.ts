import { getEmail } from '@selvage/core/contracts/mail';
import { api } from '../../../lib/api.ts';
import { messageOf } from '../../../lib/api-error.ts';
import { wordsOf } from '../../../lib/i18n.ts';
import { fileProblemWords } from '../../../words/compose.ts';
import { fetchAttachment } from '../download.ts';
import type { WholeMessage } from './compose-store.ts';
import { attachFiles, beginAttaching } from './message-files.ts';
import type { OpenMessage } from './windows.ts';

const LONGEST_NAME = 120;

/**
 * Attaches messages as they came, each as a file. Send waits for them. The message names those that
 * can't be attached, with the reason.
 */
export function attachMessages(message: OpenMessage, originals: readonly WholeMessage[]): void {
  message.preparing = Promise.all([message.preparing, attachEach(message, originals)]);
}

async function attachEach(message: OpenMessage, originals: readonly WholeMessage[]): Promise<void> {
  const tell = beginAttaching(message);
  const problems: string[] = [];
  for (const original of originals) {
    const name = nameOf(original.subject);
    try {
      const file = await fetchMessage(original, name);
      problems.push(...attachFiles(message, [file]).problems);
    } catch (error) {
      problems.push(wordsOf(fileProblemWords).notAttached({ name, reason: messageOf(error) }));
    }
  }
  tell({ problems, large: [] });
}

async function fetchMessage({ _id: id }: WholeMessage, name: string): Promise<File> {
  const { source_path: path } = await api(getEmail, { params: { id }, query: { replies: 0, as: 'text' } });
  return new File([await fetchAttachment({ file_path: path })], name, { type: 'message/rfc822' });
}

/** A file name that no system takes for a path. The server checks it again. */
function nameOf(subject: string): string {
  const title = subject.replace(/[\p{Cc}/\\:*?"<>|]+/gu, '-').trim();
  return `${title.slice(0, LONGEST_NAME) || 'message'}.eml`;
}
