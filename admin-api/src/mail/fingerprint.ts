import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Composed } from './composed.ts';

/**
 * SHA-256 of all that a call asks to send, its files included. Two calls with the same fingerprint
 * ask for the same thing.
 */
export async function fingerprintOf({ writing, files, original }: Composed): Promise<string> {
  const { recipient_emails_to: to, recipient_emails_cc: cc, recipient_emails_bcc: bcc, subject, body } = writing;
  const parts: unknown[] = [to, cc, bcc, subject, body, writing.draft_id ?? null, writing.without_attachments];
  // Left out unless given, so that a key from before the choice still fits its message
  if (writing.from) parts.push(['from', writing.from]);
  if (writing.body_kind === 'text') parts.push(['body_kind', 'text']);
  if (writing.send_at) parts.push(['send_at', writing.send_at]);
  if (original) parts.push([original.entryId, original.isReply]);
  for (const { name, contentType, path } of files) parts.push([name, contentType, await hashOfFile(path)]);
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

async function hashOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
