import type { FolderKey } from './mail-folders.ts';

/** Events of the websocket. A client may join only the room of its own address. */
export const realtimeEvents = {
  hello: 'hello',
  join: 'join_user',
  newEmail: 'new_email',
  mailboxChanged: 'mailbox_changed',
  deliveriesChanged: 'deliveries_changed',
} as const;

/** Payload of `hello`, which the server sends first on every connection, also after a reconnect. */
export interface HelloEvent {
  /** Version of the web app that the server has, see web-version.ts; null where none was built. */
  web: string | null;
}

/**
 * Payload of `mailbox_changed`: entries of these folders came, went or got other flags, by whatever
 * window, device or door. Several events may come for one change; a lost one is not repeated. While
 * the server does not hear of changes, one comes every minute, and one when it hears of them again.
 */
export interface MailboxChangedEvent {
  /** Empty when the server does not know which. */
  folders: FolderKey[];
}

/**
 * Payload of `deliveries_changed`: these sent messages have a new state for one of their
 * recipients. A lost event is not repeated.
 */
export interface DeliveriesChangedEvent {
  /** Entries in Sent of the person. */
  entry_ids: string[];
}

/** Payload of `new_email`. */
export interface NewEmailEvent {
  sender_name: string;
  sender_email: string;
  /** The reader's entry, so that a click on the toast can open it. */
  entry_id: string;
  subject: string;
}
