import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { emailAddress, flag, id, limit, page } from './fields.ts';
import { invitationDto } from './invitations.ts';
import { mailboxUse } from './plan.ts';

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
  /** The sender's name is another address (`claimed`) than the sender's. */
  'name_of_address',
  /** The sender's name is a colleague's (`claimed`); the address is a stranger's. */
  'name_of_colleague',
  /** Answers would go to an address (`actual`) that any person could have. */
  'reply_elsewhere',
  /** A link's words name one domain (`claimed`); it leads to another. */
  'link_elsewhere',
  /** Nothing speaks against it, but the reader has no earlier mail from this address. */
  'first_message',
] as const;

/** One of them: what the message claims, and what is so. */
export const warningDto = z.object({
  code: z.enum(warningCodes),
  claimed: z.string().nullable(),
  actual: z.string().nullable(),
});
export type WarningDto = z.infer<typeof warningDto>;

/** How a reader gets out of the list that a message came by. */
export const unsubscribeDto = z.object({
  /**
   * `one_click`: `unsubscribe` does it (RFC 8058), `to` is the host that is told. `mail`: by a
   * message that `to`, a `mailto:` address, describes. `page`: on a page of the sender, `to`.
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
  /** Where it went; null where a filter left it in the inbox. */
  folder: z.enum(['archive', 'junk', 'trash']).nullable(),
});

const emailCore = {
  _id: z.string(),
  subject: z.string(),
  sender_name: z.string(),
  sender_email: z.string(),
  from: z.string(),
  /** Mailboxes as the header names them: `ana@x.test`, `Ana Test <ana@x.test>`. */
  recipient_emails_to: z.array(z.string()),
  recipient_emails_cc: z.array(z.string()),
  /** Addresses. Empty but in the sender's own copy (D17). */
  recipient_emails_bcc: z.array(z.string()),
  /** When it came into this mailbox, ISO 8601, UTC. The Date header is only the sender's word. */
  createdAt: z.string(),
  isForwarded: z.boolean(),
  read_status: z.boolean(),
  star_status: z.boolean(),
  archive_status: z.boolean(),
  trash_status: z.boolean(),
  delete_status: z.boolean(),
  /** In Junk, unless it is in the trash (D46). */
  junk_status: z.boolean(),
  send_status: z.boolean(),
  received_status: z.boolean(),
  /** Null when it came to the inbox as any message does. */
  placement: placementDto.nullable(),
};

/** What a folder has of a conversation. */
const threadDto = z.object({
  /** Messages of it in the folder. */
  count: z.number().int(),
  unread: z.number().int(),
  /**
   * Up to four of the latest writers, in the order in which they came in. `is_me` is the person
   * whose mailbox it is, whose own messages stand in Sent. Empty for a message alone.
   */
  people: z.array(z.object({ name: z.string(), is_me: z.boolean() })),
});

/**
 * A row of a folder page. `body` is a short plain-text preview. In a grouped page it is the newest
 * message of its conversation in the folder; `read_status` says whether all of these are read, and
 * `star_status` whether one of them has the star.
 */
export const emailRowDto = z.object({
  ...emailCore,
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
  /** Sanitised HTML. Addresses of remote pictures stand in `data-remote-src` only (D20). */
  body: z.string(),
  /**
   * The style sheets of the message as one, filtered: it only changes how the message looks in a
   * frame of its own (D41). The classes in `body` are its.
   */
  sheet: z.string(),
  /**
   * Signed, expiring URL of the text as a page of its own with its own content policy. `?images=1`
   * shows remote pictures.
   */
  frame_path: z.string(),
  /**
   * Signed, expiring URL at which the server fetches the message's remote pictures for its reader:
   * `?url=` is one that stands in `data-remote-src` (D42).
   */
  images_path: z.string(),
  /** Whether the reader always sees remote pictures of this sender. */
  always_shows_images: z.boolean(),
  /** Whether they may choose so: it is proved by DMARC that the message is from its sender. */
  may_always_show_images: z.boolean(),
  /** Signed, expiring URL of the whole message as a file (RFC 5322), with its trace headers. */
  source_path: z.string(),
  hasRemoteContent: z.boolean(),
  /** It was received, and DMARC failed: it is not from the domain that it names (D42). */
  has_failed_check: z.boolean(),
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
  /**
   * The rest of the conversation in the reader's own mailbox, oldest first (D21): the newest of it,
   * as many as were asked for. When they are large, the body of the older ones is only their first
   * words; `frame_path` has the whole.
   */
  replies: z.array(z.object({ ...emailBody, /** The first words, plain text. */ snippet: z.string() })),
  /** Messages of the conversation that are older than all of `replies`. */
  earlier_replies: z.number().int(),
});
export type EmailDto = z.infer<typeof emailDto>;

/** The filter that names a folder: one of the five, or Junk (D46). */
export const folderFilters = [
  'received_status',
  'send_status',
  'star_status',
  'archive_status',
  'trash_status',
  'junk_status',
] as const;
export type FolderFilter = (typeof folderFilters)[number];

export const listEmails = endpoint({
  method: 'GET',
  path: '/mail/get/sent/by_user',
  summary: 'One page of a folder of the logged-in person, newest first, by message or by conversation',
  needs: 'self',
  query: z
    .object({
      page,
      limit,
      /**
       * Conversations instead of messages. Starred shows messages of several folders and is never
       * grouped.
       */
      grouped: flag.optional(),
      ...(Object.fromEntries(folderFilters.map((name) => [name, flag.optional()])) as Record<
        FolderFilter,
        z.ZodOptional<typeof flag>
      >),
    })
    .refine((query) => folderFilters.filter((name) => query[name]).length <= 1, 'Ask for one folder at a time'),
  answer: z.array(emailRowDto),
  paged: true,
});

export const getEmail = endpoint({
  method: 'GET',
  path: '/mail/get/:id',
  summary: 'One message with its attachments, its conversation and, when sent, what became of each recipient',
  needs: 'self',
  params: z.object({ id }),
  query: z.object({
    /** The most messages of the conversation beside this one. */
    replies: z.coerce.number().int().min(0).max(500).default(100),
    /** Of these, the first words alone: their texts are fetched when they are opened. */
    brief: flag.optional(),
  }),
  answer: emailDto,
});

/** Every folder, in the order of the navigation. */
export const folderNames = ['inbox', 'starred', 'sent', 'archive', 'junk', 'trash', 'draft', 'scheduled'] as const;
export type FolderName = (typeof folderNames)[number];

/** The folder totals that the navigation shows, and how full the mailbox is. */
export const getFolderTotals = endpoint({
  method: 'GET',
  path: '/mail/totals',
  summary: 'Messages and unread messages in each folder of the logged-in person',
  needs: 'self',
  answer: z.object({
    ...(Object.fromEntries(
      folderNames.map((name) => [name, z.object({ total: z.number().int(), unread: z.number().int() })]),
    ) as Record<FolderName, z.ZodObject<{ total: z.ZodNumber; unread: z.ZodNumber }>>),
    storage: mailboxUse,
  }),
});

/**
 * With `whole_threads` each id stands for its conversation in its folder, up to that message: what
 * has come since it was listed stays as it is. Conversations may be long, so they are changed in
 * batches; while `is_left` is true the client calls again. `touched` names the messages that had
 * other values before, which is what taking the change back needs.
 */
export const changeStatus = endpoint({
  method: 'PUT',
  path: '/mail/status_change',
  summary: 'Sets flags on up to 500 messages, all or none (D23, D46), or on conversations',
  needs: 'self',
  body: z
    .object({
      email_id: z.array(id).min(1, 'email_id is required').max(500, 'At most 500 messages at once'),
      read_status: z.boolean().optional(),
      star_status: z.boolean().optional(),
      archive_status: z.boolean().optional(),
      trash_status: z.boolean().optional(),
      delete_status: z.boolean().optional(),
      junk_status: z.boolean().optional(),
      whole_threads: z.boolean().optional(),
    })
    .refine((body) => Object.keys(body).some((name) => name.endsWith('_status')), 'Name at least one status'),
  answer: z.object({
    changed: z.number().int(),
    /** With `whole_threads` alone. */
    touched: z.array(z.string()).optional(),
    is_left: z.boolean().optional(),
  }),
});

/** The folders that can be changed as a whole. Starred shows messages of several. */
export const wholeFolders = ['inbox', 'sent', 'archive', 'junk', 'trash'] as const;
export type WholeFolder = (typeof wholeFolders)[number];

/** Names a place in a folder: messages that come later stand behind it. */
const mark = z.string().regex(/^\d{1,10}$/, 'Not a mark');

export const markFolder = endpoint({
  method: 'GET',
  path: '/mail/folder_mark',
  summary: 'What a folder has now, and the mark up to which `folder_status` changes it',
  needs: 'self',
  query: z.object({ folder: z.enum(wholeFolders) }),
  answer: z.object({ until: mark, total: z.number().int(), unread: z.number().int() }),
});

/**
 * What came into the folder behind the mark stays as it is. A large folder takes several calls:
 * while `is_left` is true, the client calls again with the answered `until`. Each call is done when
 * it is answered, so a client that stops has changed the newer messages alone. `touched` names the
 * messages that had the other value, which is what taking the change back needs.
 */
export const changeFolder = endpoint({
  method: 'PUT',
  path: '/mail/folder_status',
  summary: 'Sets one flag on all messages of a folder, the newest first, for some seconds at most (D50)',
  needs: 'self',
  body: z
    .object({
      folder: z.enum(wholeFolders),
      /** From `folder_mark`, then from the answer before. */
      until: mark,
      read_status: z.boolean().optional(),
      star_status: z.boolean().optional(),
      archive_status: z.boolean().optional(),
      trash_status: z.boolean().optional(),
      junk_status: z.boolean().optional(),
      /** Deletes for good. */
      delete_status: z.literal(true).optional(),
    })
    .refine(
      (body) => Object.entries(body).filter(([name, on]) => name.endsWith('_status') && on !== undefined).length === 1,
      'Name one status',
    ),
  answer: z.object({
    touched: z.array(z.string()),
    /** Messages that were looked at, changed or not. */
    seen: z.number().int(),
    until: mark,
    is_left: z.boolean(),
  }),
});

/**
 * A large trash takes several calls: while `is_left` is true, the client calls again with the
 * answered `until`, so that what came into the trash meanwhile stays there.
 */
export const emptyTrash = endpoint({
  method: 'POST',
  path: '/mail/empty_trash',
  summary: 'Deletes what is in the trash of the logged-in person for good, for some seconds at most',
  needs: { model: 'trash', action: 'delete' },
  body: z.object({
    until: z
      .string()
      .regex(/^\d{1,20}$/, 'Not a number')
      .optional(),
  }),
  answer: z.object({ removed: z.number().int(), is_left: z.boolean(), until: z.string() }),
});

/** The longest mailbox with a name: 255 characters of it, each quoted, and an address. */
const longestMailbox = 800;

/** Mailboxes, each an address alone or a name and the address: `"Raman, Priya" <priya@x.test>`. */
export const recipientList = z.array(z.string().max(longestMailbox)).max(100, 'At most 100 recipients').default([]);

/**
 * Names one composed message. The client chooses it when the writing begins, a UUID for example,
 * and keeps it until the message is sent. The same key from the same person sends nothing twice: a
 * repeat is given the first answer again. A key is kept for seven days. It is free again when its
 * attempt failed. It stays used when the message is taken back: the draft is sent under a key of
 * its own.
 *
 * 409 `idempotency_key_reused`: other content was sent under the key. 409 `send_undone`: the
 * message was taken back. 409 `still_sending`: another call with the key takes long; ask `findSent`
 * after `Retry-After` seconds.
 */
const idempotencyKey = z.string().regex(/^[\w-]{16,64}$/, 'A key has 16 to 64 letters, digits, - and _');

/** A moment with its zone, as `2026-11-24T08:00:00.000Z`. */
export const sendTime = z.iso.datetime({ offset: true, error: 'Not a time' });

export const sendFields = {
  idempotency_key: idempotencyKey.optional(),
  /**
   * The address in From: the mailbox or an alias of the sender. Unless given, the mailbox. Any
   * other address, an alias that is gone as well, is a 422 at `from`.
   */
  from: emailAddress.optional(),
  recipient_emails_to: recipientList,
  recipient_emails_cc: recipientList,
  recipient_emails_bcc: recipientList,
  subject: z.string().max(998, 'Subject must be at most 998 characters').default(''),
  /** HTML as the editor gives it; sanitised by the server. */
  body: z.string().max(5_000_000, 'The text is too long').default(''),
  /** The draft that becomes this message; it is deleted when the message is committed. */
  draft_id: id.optional(),
  /** Files of the draft, or of the original of a forward, that the message leaves out. */
  without_attachments: z.array(id).max(1000).default([]),
  /**
   * Send it then and not now (ISO time): at least 2 minutes and at most a year ahead, or it is a
   * 422 at `send_at` (D48). 409 `too_many_scheduled`: as many are waiting as one may have.
   */
  send_at: sendTime.optional(),
};

/** The message is a forward unless this is true. A form sends it as text. */
export const isReply = z.union([z.boolean(), flag], { error: 'is_reply must be true or false' }).default(false);

const sentAnswer = z.object({
  _id: z.string(),
  /** Until when `undo_send` works (ISO time). */
  undo_until: z.string(),
  /** How long that is from the moment of sending, in milliseconds: what a countdown begins with. */
  undo_ms: z.number().int(),
  /** When a message that was sent for later leaves (ISO time): until then `undo_send` works. */
  scheduled_for: z.string().nullable(),
});

export const sendEmail = endpoint({
  method: 'POST',
  path: '/mail/send',
  summary: 'Sends a message; deliveries are held for the time of undo (D29)',
  needs: { model: 'sent', action: 'create' },
  bodyKind: 'multipart',
  body: z.object(sendFields),
  answer: sentAnswer,
});

export const replyOrForward = endpoint({
  method: 'POST',
  path: '/mail/replyOrForward',
  summary: 'Sends an answer to, or a forward of, a message of the logged-in person; a forward carries its attachments',
  needs: { model: 'sent', action: 'create' },
  bodyKind: 'multipart',
  body: z.object({
    ...sendFields,
    originalEmailId: id,
    is_reply: isReply,
  }),
  answer: sentAnswer,
});

/**
 * For a client that sent a message and got no answer. 404 `not_sent`: nothing was sent under the
 * key and nothing is under way, so the message can be sent again. 409 `still_sending`: ask again
 * after `Retry-After` seconds. 409 `send_undone`: the message was sent and taken back.
 */
export const findSent = endpoint({
  method: 'GET',
  path: '/mail/send/:key',
  summary: 'What the call that sent a message under this key was answered, or would be if it came again',
  needs: { model: 'sent', action: 'create' },
  params: z.object({ key: idempotencyKey }),
  answer: sentAnswer,
});

export const undoSend = endpoint({
  method: 'POST',
  path: '/mail/undo_send/:id',
  summary: 'Takes a sent message back while its deliveries are held, and turns it into a draft (D29)',
  needs: { model: 'sent', action: 'create' },
  params: z.object({ id }),
  answer: z.object({ draft_id: z.string() }),
});

export const unsubscribe = endpoint({
  method: 'POST',
  path: '/mail/unsubscribe/:id',
  summary: 'Tells the sender of a message by one request that its reader wants no more of them (RFC 8058)',
  needs: 'self',
  params: z.object({ id }),
  answer: z.object({
    /** Whether the sender's server took it. */
    done: z.boolean(),
  }),
});

/** Limits of attachments, in bytes (D19). */
export const attachmentLimits = { image: 1_048_576, other: 10_485_760, total: 26_214_400, files: 50 } as const;
