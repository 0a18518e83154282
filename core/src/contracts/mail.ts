import { z } from 'zod';
import { emailDto, emailRowDto } from './email.ts';
import { endpoint } from './endpoint.ts';
import { emailAddress, flag, fromDigits, id, limit, page, startVersion } from './fields.ts';

/** The filter that names a folder: one of the five, Junk (D46), or Snoozed (D61). */
export const folderFilters = [
  'received_status',
  'send_status',
  'star_status',
  'archive_status',
  'trash_status',
  'junk_status',
  'snoozed_status',
] as const;
export type FolderFilter = (typeof folderFilters)[number];

export const listEmails = endpoint({
  method: 'GET',
  path: '/mail/get/sent/by_user',
  summary: 'One page of a folder or a label of the logged-in person, newest first, by message or by conversation',
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
      /** The messages of a label of the caller. They are of several folders, and never grouped. */
      label: id.optional(),
      /** The messages of a folder that the caller made. */
      own_folder: id.optional(),
      ...(Object.fromEntries(folderFilters.map((name) => [name, flag.optional()])) as Record<
        FolderFilter,
        z.ZodOptional<typeof flag>
      >),
    })
    .refine(
      (query) => [...folderFilters, 'label' as const, 'own_folder' as const].filter((name) => query[name]).length <= 1,
      'Ask for one folder or label at a time',
    ),
  answer: z.array(emailRowDto),
  paged: true,
});

export const getEmail = endpoint({
  method: 'GET',
  path: '/mail/get/:id',
  summary:
    'One message with its attachments, its conversation and, when sent, what became of each recipient. ' +
    'Of the others of the conversation it names the first 20 recipients and files of each, and 500 files in all',
  needs: 'self',
  params: z.object({ id }),
  query: z.object({
    /** The most messages of the conversation beside this one. */
    replies: fromDigits(z.number().int().min(0).max(500)).default(100),
    /**
     * Whether these have only their first words. The client fetches a text when the person opens
     * it.
     */
    brief: flag.optional(),
    /** `text` answers with the words of the message without its markup. */
    as: z.enum(['text']).optional(),
  }),
  answer: emailDto,
});

/** The longest mailbox with a name: 255 characters of it, each quoted, and an address. */
export const longestMailbox = 800;

/** How many recipients each field of a message takes. */
export const mostRecipients = 100;

/**
 * A draft takes more: an answer to all may begin with too many, and must be saved until its writer
 * removes some.
 */
const mostInDraft = 300;

const mailboxes = (most: number) =>
  z.array(z.string().max(longestMailbox)).max(most, `At most ${most} recipients`).default([]);

/**
 * How many characters the recipients of a draft may have together. The 100 longest mailboxes fit,
 * and so do 300 with names of any script and ordinary length.
 */
export const longestDraftRecipients = 100_000;

/** Mailboxes, each an address alone or a name and the address: `"Raman, Priya" <priya@x.test>`. */
export const recipientList = mailboxes(mostRecipients);
export const draftRecipients = mailboxes(mostInDraft);

/**
 * Identifies one composed message. The client chooses it when the writing begins, a UUID for
 * example, and keeps it until the message is sent. The same key from the same person sends nothing
 * twice: a repeat gets the first answer again. A key is kept for 35 days. It is free again when its
 * attempt failed. It stays used when the message is taken back: the draft is then sent under
 * another key.
 *
 * 409 `idempotency_key_reused`: other content was sent under the key. 409 `send_undone`: the
 * message was taken back. 409 `still_sending`: another call with the key takes long; ask `findSent`
 * after `Retry-After` seconds.
 */
export const idempotencyKey = z.string().regex(/^[\w-]{16,64}$/, 'A key has 16 to 64 letters, digits, - and _');

/**
 * Days for which a browser keeps an unsent message after its last change. For as long, it may ask
 * what became of the message.
 */
export const unsentDays = 30;

/** A moment with its zone, as `2026-11-24T08:00:00.000Z`. */
export const sendTime = z.iso.datetime({ offset: true, error: 'Not a time' });

/** Characters of a text as HTML, the pictures in it included. */
export const longestText = 5_000_000;
/** The longest that pictures may make a text, so that room is left for words. */
export const longestWithPictures = longestText - 200_000;

export const sendFields = {
  idempotency_key: idempotencyKey.optional(),
  /**
   * The address in From: the mailbox or an alias of the sender. Unless given, the mailbox. Any
   * other address, such as a removed alias, is a 422 at `from`.
   */
  from: emailAddress.optional(),
  recipient_emails_to: recipientList,
  recipient_emails_cc: recipientList,
  recipient_emails_bcc: recipientList,
  subject: z.string().max(998, 'Subject must be at most 998 characters').default(''),
  /** HTML as the editor gives it, sanitised by the server; or plain text, as `body_kind` says. */
  body: z.string().max(longestText, 'The text is too long').default(''),
  /** `text`: `body` is plain text, and the message has no HTML. */
  body_kind: z.enum(['html', 'text']).default('html'),
  /** The draft that becomes this message; it is deleted when the message is committed. */
  draft_id: id.optional(),
  /**
   * The version of that draft which the writer started from. 409 `changed_meanwhile` when it was
   * saved from elsewhere since.
   */
  draft_version: startVersion,
  /** Files of the draft, or of the original of a forward, that the message leaves out. */
  without_attachments: z.array(id).max(1000).default([]),
  /**
   * When to send it, if not now (ISO time): at least 2 minutes and at most a year ahead, or it is a
   * 422 at `send_at` (D48). 409 `too_many_scheduled`: as many are waiting as one may have.
   */
  send_at: sendTime.optional(),
  /**
   * When to remind the sender if no person has answered by then (ISO time): within a year and
   * after `send_at`, or it is a 422 at `remind_at` (D62). 409 `too_many_reminders`: nothing is
   * sent.
   */
  remind_at: sendTime.optional(),
};

/** The message is a forward unless this is true. A form sends it as text. */
export const isReply = z.union([z.boolean(), flag], { error: 'is_reply must be true or false' }).default(false);

/**
 * A forward also carries the pictures of the original's text as files, since a text without HTML
 * can't show them. A form sends it as text.
 */
export const withPictures = z.union([z.boolean(), flag], { error: 'with_pictures must be true or false' }).optional();

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
    with_pictures: withPictures,
  }),
  answer: sentAnswer,
});

/**
 * For a client that sent a message and got no answer. 404 `not_sent`: nothing was sent under the
 * key and nothing is under way, so the message can be sent again. 409 `still_sending`: ask again
 * after `Retry-After` seconds. 409 `send_undone`: the message was sent and taken back. The `ids` of
 * that answer have the `draft_id` of the draft that it became, until that is saved or removed.
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
