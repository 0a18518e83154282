import type { UploadedFile } from '../http/uploads.ts';
import type { TypedRecipients } from './check-sending.ts';

/** A message as the editor sends it. */
export interface Writing extends TypedRecipients {
  /** The address for From; unless given, the mailbox. */
  from?: string | undefined;
  subject: string;
  body: string;
  /** `text`: the body is plain text, and the message has no HTML. */
  body_kind: 'html' | 'text';
  draft_id?: string | undefined;
  /** The version of it that the writer started from; unless given, any. */
  draft_version?: number | undefined;
  /** Files of the draft, or of the original of a forward, that are left out. */
  without_attachments: string[];
  /** When it is to leave; unless given, now. */
  send_at?: string | undefined;
  /** When the sender is reminded unless an answer comes; unless given, never. */
  remind_at?: string | undefined;
  idempotency_key?: string | undefined;
}

/** The message that is answered or forwarded. */
export interface Original {
  entryId: string;
  isReply: boolean;
}

/** All that one call asks to send. */
export interface Composed {
  writing: Writing;
  files: UploadedFile[];
  original?: Original;
}
