import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { id, limit, page, startVersion } from './fields.ts';
import { attachmentDto, rowCore } from './email.ts';
import { draftRecipients, idempotencyKey, isReply, longestDraftRecipients, sendFields, withPictures } from './mail.ts';

const draftCore = {
  _id: z.string(),
  recipient_emails_to: z.array(z.string()),
  recipient_emails_cc: z.array(z.string()),
  recipient_emails_bcc: z.array(z.string()),
  subject: z.string(),
  star_status: z.boolean(),
  /** When it was saved last, ISO 8601, UTC. */
  updatedAt: z.string(),
};

/** A row of the list of drafts. `body` is a short plain-text preview. Long texts are cut. */
export const draftRowDto = z.object({
  ...draftCore,
  ...rowCore,
  body: z.string(),
  attachment_count: z.number().int(),
  /** Raised by each save. */
  version: z.number().int(),
});
export type DraftRowDto = z.infer<typeof draftRowDto>;

/** A whole draft, for its writer to continue. */
export const draftDto = z.object({
  ...draftCore,
  /** The address that was chosen for From; null when none is known. */
  from: z.string().nullable(),
  /** Sanitised HTML. */
  body: z.string(),
  attachments: z.array(attachmentDto),
  /** Raised by each save; the next one sends it back. */
  version: z.number().int(),
});
export type DraftDto = z.infer<typeof draftDto>;

export const listDrafts = endpoint({
  method: 'GET',
  path: '/mail/draft/get',
  summary: 'One page of the drafts of the logged-in person, the one that was saved last first',
  needs: { model: 'draft', action: 'view' },
  query: z.object({ page, limit }),
  answer: z.array(draftRowDto),
  paged: true,
});

export const getDraft = endpoint({
  method: 'GET',
  path: '/mail/draft/get/:id',
  summary: 'One draft of the logged-in person',
  needs: { model: 'draft', action: 'view' },
  params: z.object({ id }),
  answer: draftDto,
});

/** No person writes more drafts. Each is a row with all of its text. */
export const mostDrafts = 1000;

interface RecipientLists extends Record<`recipient_emails_${'to' | 'cc' | 'bcc'}`, string[]> {}

function recipientCharacters(body: RecipientLists): number {
  const lists = [body.recipient_emails_to, body.recipient_emails_cc, body.recipient_emails_bcc];
  return lists.flat().reduce((sum, { length }) => sum + length, 0);
}

/**
 * Saves what a person has written so far. It does not check what sending checks: an address may be
 * half typed. Without `draft_id` the call makes a new draft. The first save of an answer or a
 * forward names the original, and a forward takes over the original's files. `attachments` are
 * added to the files that the draft has.
 *
 * A client that got no answer makes the same call again, with the same key. A call that was carried
 * out already is not carried out again, and gets the first answer.
 *
 * A new draft needs the flag to create drafts, an existing one the flag to edit them.
 *
 * 409 `changed_meanwhile`: the draft was saved from elsewhere since `version`. 409
 * `too_many_drafts`. 413 `attachment_too_large`. 422 `mailbox_full`.
 */
export const saveDraft = endpoint({
  method: 'POST',
  path: '/mail/draft/save',
  summary: 'Saves a new draft, or an existing one as it is now',
  needs: { model: 'draft', action: 'create', or: { model: 'draft', action: 'edit' } },
  bodyKind: 'multipart',
  body: z
    .object({
      /**
       * Identifies one save. The client chooses a new key for each save, for example a UUID. A call
       * with other content is another save, even with the same key.
       */
      idempotency_key: idempotencyKey.optional(),
      from: sendFields.from,
      recipient_emails_to: draftRecipients,
      recipient_emails_cc: draftRecipients,
      recipient_emails_bcc: draftRecipients,
      subject: sendFields.subject,
      body: sendFields.body,
      draft_id: id.optional(),
      version: startVersion,
      /**
       * The new draft takes over what this one answers, and those of its files that
       * `with_attachments` names, for a writer who got 409 `changed_meanwhile`. A draft that was
       * deleted since has nothing to take over.
       */
      copy_of: id.optional(),
      /**
       * The files that the writer sees; all, if this is left out. The copied draft may have others
       * by now, which are none of this text. One that it no longer has is left out. A form can't
       * send an empty list, so one empty text says that the writer sees none.
       */
      with_attachments: z
        .array(z.union([z.literal(''), id]))
        .max(1000)
        .optional(),
      /** Files to leave out: its own, the copied draft's, or those of the original. */
      without_attachments: sendFields.without_attachments,
      /** The message that it answers or forwards. Used only at the first save. */
      originalEmailId: id.optional(),
      is_reply: isReply,
      with_pictures: withPictures,
    })
    .refine((body) => recipientCharacters(body) <= longestDraftRecipients, {
      error: 'The recipients are too long together. Take some of them out',
      path: ['recipients'],
    }),
  answer: draftDto,
});

/** 409 `changed_meanwhile`: one of them was saved from elsewhere since its version. */
export const removeDrafts = endpoint({
  method: 'DELETE',
  path: '/mail/draft/delete',
  summary: 'Deletes up to 500 drafts of the logged-in person for good, all or none',
  needs: { model: 'draft', action: 'delete' },
  body: z.object({
    draft_ids: z.array(id).min(1, 'draft_ids is required').max(500, 'At most 500 drafts at once'),
    /** By their ids, the versions that the caller has read. */
    versions: z.record(id, startVersion).default({}),
  }),
  answer: z.object({ removed: z.number().int() }),
});
