import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { saveDraft } from '@selvage/core/contracts/drafts';
import type { InferBody } from '@selvage/core/contracts/endpoint';
import type { UploadedFile } from '../http/uploads.ts';
import type { Composed } from './composed.ts';

/**
 * SHA-256 of all that a call asks to send, its files included. Two calls with the same fingerprint
 * ask for the same thing.
 */
export async function fingerprintOf({ writing, files, original }: Composed): Promise<string> {
  const { recipient_emails_to: to, recipient_emails_cc: cc, recipient_emails_bcc: bcc, subject, body } = writing;
  const parts: unknown[] = [to, cc, bcc, subject, body, writing.draft_id ?? null, writing.without_attachments];
  // An optional value is added only if the call gives it, so that keys from before that option
  // existed still match their message
  if (writing.from) parts.push(['from', writing.from]);
  if (writing.body_kind === 'text') parts.push(['body_kind', 'text']);
  if (writing.send_at) parts.push(['send_at', writing.send_at]);
  if (writing.remind_at) parts.push(['remind_at', writing.remind_at]);
  if (original) parts.push([original.entryId, original.isReply]);
  if (original?.withPictures) parts.push(['with_pictures', true]);
  return await hashOf(parts, files);
}

/**
 * SHA-256 of the idempotency key of a save and of all that it saves. A call with the same result is
 * a repetition of the same save.
 */
export async function nameOfSave(body: InferBody<typeof saveDraft>, files: UploadedFile[]): Promise<string> {
  const named = Object.entries(body).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return await hashOf([named], files);
}

async function hashOf(parts: readonly unknown[], files: readonly UploadedFile[]): Promise<string> {
  const all = [...parts];
  for (const { name, contentType, path } of files) all.push([name, contentType, await hashOfFile(path)]);
  return createHash('sha256').update(JSON.stringify(all)).digest('hex');
}

async function hashOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
