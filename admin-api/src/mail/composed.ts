import type { UploadedFile } from '../http/uploads.ts';
import type { TypedRecipients } from './check-sending.ts';

/** A message as the editor sends it. */
export interface Writing extends TypedRecipients {
  /** The address for From. The sender's mailbox if absent. */
  from?: string | undefined;
  subject: string;
  body: string;
  /** `text`: the body is plain text, and the message has no HTML. */
  body_kind: 'html' | 'text';
  draft_id?: string | undefined;
  /** The version of the draft that the writer started from. Any version if absent. */
  draft_version?: number | undefined;
  /** Files of the draft, or of the original of a forward, that are not sent. */
  without_attachments: string[];
  /** When to send the message. Now if absent. */
  send_at?: string | undefined;
  /** When to remind the sender if no answer has come. Never if absent. */
  remind_at?: string | undefined;
  idempotency_key?: string | undefined;
}

/** The message that the written one answers or forwards. */
export interface Original {
  entryId: string;
  isReply: boolean;
  /** A forward carries the pictures of its text as files too. */
  withPictures?: boolean;
}

/** All that one call asks to send. */
export interface Composed {
  writing: Writing;
  files: UploadedFile[];
  original?: Original;
}
