import { copyMailbox } from './copy-mailbox.ts';
import type { AnyJobContract } from './define-job.ts';
import { deliverMessage } from './deliver-message.ts';
import { eraseCompany } from './erase-company.ts';
import { eraseUser } from './erase-user.ts';
import { generateDkim } from './generate-dkim.ts';
import { holdSentMail } from './hold-sent-mail.ts';
import { makeArchive } from './make-archive.ts';
import { emptyDeletedFolder } from './empty-deleted-folder.ts';
import { removeBlob } from './remove-blob.ts';
import { removeLabel } from './remove-label.ts';
import { removeMessage } from './remove-message.ts';
import { replyOnVacation } from './reply-on-vacation.ts';

/** Every job. Workers refuse to start unless each of them has exactly one processor. */
export const allJobs: readonly AnyJobContract[] = [
  deliverMessage,
  generateDkim,
  removeMessage,
  removeBlob,
  removeLabel,
  emptyDeletedFolder,
  replyOnVacation,
  eraseUser,
  eraseCompany,
  holdSentMail,
  copyMailbox,
  makeArchive,
];

/** The contract of a job by its name; undefined for one that this version does not know. */
export function findJob(name: string): AnyJobContract | undefined {
  return allJobs.find((job) => job.name === name);
}
