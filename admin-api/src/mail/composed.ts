import type { UploadedFile } from '../http/uploads.ts';
import type { TypedRecipients } from './check-sending.ts';

/** A message as the editor gives it. */
export interface Writing extends TypedRecipients {
  subject: string;
  body: string;
  draft_id?: string | undefined;
  /** Files of the draft, or of the original of a forward, that are left out. */
  without_attachments: string[];
  idempotency_key?: string | undefined;
}

/** What a message answers or forwards. */
export interface Original {
  entryId: string;
  isReply: boolean;
}

/** All that a call asks to be sent. */
export interface Composed {
  writing: Writing;
  files: UploadedFile[];
  original?: Original;
}
