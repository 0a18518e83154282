import { z } from 'zod';
import { invitationDto } from './invitations.ts';

/**
 * A file of a message. `file_path` is a signed, expiring URL relative to the server's address
 * (D19).
 */
export const attachmentDto = z.object({
  _id: z.string(),
  file_path: z.string(),
  original_name: z.string(),
  contentType: z.string(),
  file_type: z.string(),
  /** Bytes. */
  size: z.number().int(),
  /** False for pictures that are part of the text and shown there. */
  showData: z.boolean(),
});
export type AttachmentDto = z.infer<typeof attachmentDto>;

/** States of one delivery, in the words of the ledger (D30). */
export const deliveryStates = ['held', 'queued', 'stored', 'relayed', 'bounced', 'cancelled'] as const;

/** What became of a sent message for one recipient (D30). Times are ISO 8601, UTC. */
export const deliveryDto = z.object({
  recipient: z.string(),
  state: z.enum(deliveryStates),
  /** One word of the closed list in core/src/ledger/reasons.ts, or null while nothing is known. */
  reason: z.string().nullable(),
  /** How many attempts have ended. */
  attempts: z.number().int(),
  /** The remote server's own words; null when it said nothing. */
  last_reply: z.string().nullable(),
  next_attempt_at: z.string().nullable(),
  /** How the connection to the remote server was protected; null where that is not known. */
  tls: z
    .object({
      /** `verified`: encrypted, and the server's certificate was checked. */
      state: z.enum(['none', 'encrypted', 'verified']),
      /** What demanded the check: a policy of the recipient's domain, or the host's own relay. */
      by: z.enum(['mta_sts', 'dane', 'relay']).nullable(),
      /** `TLSv1.3` */
      protocol: z.string().nullable(),
    })
    .nullable(),
  updatedAt: z.string(),
});
export type DeliveryDto = z.infer<typeof deliveryDto>;

/** SPF, DKIM and DMARC of a received message, as one result word each (RFC 8601). */
export const authenticityDto = z.object({
  spf: z.string(),
  dkim: z.string(),
  dmarc: z.string(),
  /** Domain of the From address. */
  domain: z.string().nullable(),
});

/** What speaks against a received message, or is worth knowing of its sender (D42). */
export const warningCodes = [
  /** DMARC failed: the message is not from the domain that it names. `claimed` is that domain. */
  'not_from_sender',
  /** The sender's domain looks like one of the reader's company (`claimed`), and is none. */
  'similar_domain',
  /**
   * The sender's domain (`actual`) may be taken for one that the reader has written to (`claimed`).
   */
  'similar_correspondent',
  /** The sender's name is another address (`claimed`) than the sender's. */
  'name_of_address',
  /** The sender's name is a colleague's (`claimed`); the address is a stranger's. */
  'name_of_colleague',
  /** The reader writes to a person with the sender's name, at another address (`claimed`). */
  'name_of_correspondent',
  /** The sender's name is that of a person whom the reader knows, and it has no address. */
  'name_without_address',
  /** Answers would go to an address (`actual`) that any person could have. */
  'reply_elsewhere',
  /** A link's words name one domain (`claimed`); it leads to another. */
  'link_elsewhere',
  /** Nothing speaks against it, but the reader has no earlier mail from this address. */
  'first_message',
] as const;

/** One warning: what the message claims, and what is true. */
export const warningDto = z.object({
  code: z.enum(warningCodes),
  claimed: z.string().nullable(),
  actual: z.string().nullable(),
});
export type WarningDto = z.infer<typeof warningDto>;

/** How a reader unsubscribes from the list that a message came by. */
export const unsubscribeDto = z.object({
  /**
   * `one_click`: the call `unsubscribe` does it (RFC 8058), and `to` is the host that it tells.
   * `mail`: by a message that `to`, a `mailto:` address, describes. `page`: on a page of the
   * sender, `to`.
   */
  way: z.enum(['one_click', 'mail', 'page']),
  to: z.string(),
});
export type UnsubscribeDto = z.infer<typeof unsubscribeDto>;

/** What the host did with a message when it came (D46). */
const placementDto = z.object({
  /**
   * `dmarc`: the policy of the domain `name` asked for it. `blocked`: `name` is the address or the
   * domain that the reader has blocked. `filter`: `name` is that of the reader's filter.
   */
  by: z.enum(['dmarc', 'blocked', 'filter']),
  name: z.string(),
  /**
   * Where it went, `own` for a folder that the reader made; null where a filter left it in the
   * inbox.
   */
  folder: z.enum(['archive', 'junk', 'trash', 'own']).nullable(),
});

/** Where a message is in its reader's mailbox, and how it is marked there. */
const entryCore = {
  _id: z.string(),
  /** When it came into this mailbox, ISO 8601, UTC. The Date header is only the sender's word. */
  createdAt: z.string(),
  read_status: z.boolean(),
  star_status: z.boolean(),
  archive_status: z.boolean(),
  trash_status: z.boolean(),
  delete_status: z.boolean(),
  /** In Junk, unless it is in the trash (D46). */
  junk_status: z.boolean(),
  /** In Snoozed, unless it is in the archive, Junk or the trash (D61). */
  snoozed_status: z.boolean(),
  /** When it comes back into the inbox, ISO 8601; null unless it is snoozed. */
  snoozed_until: z.string().nullable(),
  /** When it came back into the inbox; null when it never was snoozed. Lists are in this order. */
  returned_at: z.string().nullable(),
  send_status: z.boolean(),
  received_status: z.boolean(),
  /** Null when it came to the inbox as any message does. */
  placement: placementDto.nullable(),
  /** Ids of the reader's labels on it, by name (D60); of a conversation, on its latest messages. */
  labels: z.array(z.string()),
  /**
   * The folder of the reader's own that it is in, or goes back to from the archive, Junk or the
   * trash (D63).
   */
  own_folder: z.string().nullable(),
};

const emailCore = {
  ...entryCore,
  subject: z.string(),
  sender_name: z.string(),
  sender_email: z.string(),
  from: z.string(),
  /** Mailboxes as the header names them: `ana@x.test`, `Ana Test <ana@x.test>`. */
  recipient_emails_to: z.array(z.string()),
  recipient_emails_cc: z.array(z.string()),
  /** Addresses. Empty except in the sender's own copy (D17). */
  recipient_emails_bcc: z.array(z.string()),
  isForwarded: z.boolean(),
};

/**
 * The most recipients that a row of a list names, To before Cc before Bcc. A stranger decides how
 * many a message has, and how long their names are.
 */
export const mostInRow = 20;

/** What each row of a list has beside its first recipients. */
export const rowCore = {
  /** To, Cc and Bcc together. The row has the first 20 of them; the message itself has all. */
  recipients_count: z.number().int(),
};

/** What a folder has of a conversation. */
const threadDto = z.object({
  /** Messages of it in the folder. */
  count: z.number().int(),
  unread: z.number().int(),
  /**
   * Up to four of the latest writers, in the order in which they came in. `is_me` is the person
   * whose mailbox it is, and whose own messages are in Sent. Empty for a single message.
   */
  people: z.array(z.object({ name: z.string(), is_me: z.boolean() })),
});

/**
 * A row of a folder page. `body` is a short plain-text preview. In a grouped page it is the newest
 * message of its conversation in the folder; `read_status` says whether all of these are read, and
 * `star_status` whether one of them has the star. Of texts that are longer than any list shows, a
 * row has the beginning, which ends with `…`; only `sender_email` is never cut.
 */
export const emailRowDto = z.object({
  ...emailCore,
  ...rowCore,
  body: z.string(),
  attachment_count: z.number().int(),
  /** In a grouped page alone. */
  thread: threadDto.optional(),
  /** Worst state among the recipients of a sent message; null for a received one. */
  delivery_state: z.enum(deliveryStates).nullable(),
});
export type EmailRowDto = z.infer<typeof emailRowDto>;

const emailBody = {
  ...emailCore,
  /** Sanitised HTML. Addresses of remote pictures are in `data-remote-src` only (D20). */
  body: z.string(),
  /**
   * The style sheets of the message as one, filtered: it only changes how the message looks in a
   * frame of its own (D41). `body` uses its classes.
   */
  sheet: z.string(),
  /**
   * Signed, expiring URL of the text as a page of its own with its own content policy. `?images=1`
   * shows remote pictures.
   */
  frame_path: z.string(),
  /**
   * Signed, expiring URL at which the server fetches the message's remote pictures for its reader:
   * `?url=` is one of the addresses in `data-remote-src` (D42).
   */
  images_path: z.string(),
  /** Whether the reader always sees remote pictures of this sender. */
  always_shows_images: z.boolean(),
  /** Whether they may choose so: it is proved by DMARC that the message is from its sender. */
  may_always_show_images: z.boolean(),
  /** Signed, expiring URL of the whole message as a file (RFC 5322), with its trace headers. */
  source_path: z.string(),
  hasRemoteContent: z.boolean(),
  /**
   * `plain`: text without markup. `simple`: HTML without colours, backgrounds or a layout of
   * pictures, which can be shown on a background of any colour. `designed`: made for a white one.
   */
  look: z.enum(['plain', 'simple', 'designed']),
  /** It was received, and DMARC failed: it is not from the domain that it names (D42). */
  has_failed_check: z.boolean(),
  /** Files that are no part of its text. */
  attachment_count: z.number().int(),
  attachments: z.array(attachmentDto),
};

/** A whole message as its reader sees it. */
export const emailDto = z.object({
  ...emailBody,
  message_id: z.string().nullable(),
  /** Mailboxes, as in `recipient_emails_to`. */
  reply_to: z.array(z.string()),
  /**
   * The alias of the reader that the message came in by, in the words of the ledger; null when it
   * came in by no alias, or the ledger no longer has it.
   */
  delivered_to: z.string().nullable(),
  authenticity: authenticityDto.nullable(),
  /** The name of the list that it came by (RFC 2919). */
  list_id: z.string().nullable(),
  /**
   * The address that mail to all of that list goes to (RFC 2369 3.4); null where the message names
   * none, or there is a warning about it.
   */
  list_post: z.string().nullable(),
  /** The gravest first; empty when there is nothing to say. */
  warnings: z.array(warningDto),
  /** Null where the message names no way, or no signature proves it to be its sender's. */
  unsubscribe: unsubscribeDto.nullable(),
  /** Null when the message carries none. */
  invitation: invitationDto.nullable(),
  /**
   * Signed, expiring URL of all files of the message as one zip archive; null when it has fewer
   * than two that are not part of its text.
   */
  files_path: z.string().nullable(),
  deliveries: z.array(deliveryDto),
  /** Until when the sender can take the message back (ISO time), or null (D29). */
  undo_until: z.string().nullable(),
  /** When a message that waits for its time leaves (ISO time); null for all others (D48). */
  scheduled_for: z.string().nullable(),
  /** When the sender is reminded unless an answer comes (ISO time); null for all others (D62). */
  remind_at: z.string().nullable(),
  /**
   * The rest of the conversation in the reader's own mailbox, oldest first (D21): the newest of it,
   * as many as were asked for. When they are large, the body of the older ones is only their first
   * words; `frame_path` has the whole. Each names only the first 20 recipients of To and of Cc and
   * the first 20 files, and all together name 500 files, those of the newest first; a picture in a
   * body whose file is not named is left out. A message that is asked for by its id has all.
   */
  replies: z.array(
    z.object({
      ...emailBody,
      /** The first words, plain text. */
      snippet: z.string(),
      /**
       * The gravest warning about its sender; null also for a message that is not among the newest
       * ten. Warnings about its text come when it is opened.
       */
      doubt: warningDto.nullable(),
    }),
  ),
  /**
   * Further copies of these messages in the reader's own mailbox, which `replies` leaves out: a
   * message to oneself, or to a group that one is in, is both sent and received. What is done with
   * the whole conversation is done with them too.
   */
  twins: z.array(z.object(entryCore)),
  /** Messages of the conversation that are older than all of `replies`. */
  earlier_replies: z.number().int(),
});
export type EmailDto = z.infer<typeof emailDto>;
