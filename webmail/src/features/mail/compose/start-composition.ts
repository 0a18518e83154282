import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import type { DraftDto } from '@selvage/core/contracts/drafts';
import type { EmailDto } from '@selvage/core/contracts/email';
import { readMailbox } from '@selvage/core/mail/mailbox-text';
import { blankLine } from '../../../components/editor/editor-html.ts';
import { uniqueId } from '../../../lib/unique-id.ts';
import type { ComposeRequest } from './compose-store.ts';
import { carriedFiles, type ChosenSignature, type Composition, type Lists, type Origin } from './composition.ts';
import { fromOfAnswer, ownAddresses } from './from-address.ts';
import { htmlOfPlain, isPlainPreferred, plainOf } from './plain-text.ts';
import { forwardPrefill, newPrefill, type Prefill, quotedHtml, replyPrefill, wholePrefill } from './quoting.ts';
import { recipientOf } from './recipients.ts';
import { textOfHtml } from './text-of-html.ts';

type Writer = Pick<
  CurrentUserDto,
  'email' | 'aliases' | 'signature_new_emails_use' | 'signature_reply_forward_emails_use'
>;

/** The message that a compose window begins with. */
export function startComposition(request: ComposeRequest, owner: string, writer: Writer): Composition {
  const signature =
    request.kind === 'new' ? writer.signature_new_emails_use : writer.signature_reply_forward_emails_use;
  const started = withoutFormats(begin(owner, originOf(request), prefillFor(request, writer, signature), signature));
  if (request.kind === 'reply') return { ...started, from: fromOfAnswer(request.email, writer) };
  const hasText = request.kind === 'new' && (request.prepared?.text ?? '').trim() !== '';
  return hasText ? { ...started, start: { ...started.start, hasText } } : started;
}

/**
 * A message that was taken back, as the draft that it became. It keeps the id of its record in this
 * browser.
 */
export function compositionOfDraft(
  draft: DraftDto,
  { owner, id, sendAt = null, remindAt = null }: Pick<Composition, 'owner' | 'id' | 'sendAt' | 'remindAt'>,
): Composition {
  const { _id: draftId, attachments: files, version } = draft;
  const origin: Origin = { kind: 'draft', draftId, files, isRead: true, version };
  const prefill: Prefill = {
    to: draft.recipient_emails_to,
    cc: draft.recipient_emails_cc,
    bcc: draft.recipient_emails_bcc,
    subject: draft.subject,
    body: quotedHtml(draft.body) || blankLine,
  };
  const plain = plainOf(draft.body);
  const text = plain === null ? {} : { html: htmlOfPlain(plain), isPlain: true };
  const { from } = draft;
  const begun = begin(owner, origin, prefill, null);
  return { ...begun, ...text, id, from, start: { ...begun.start, from }, sendAt, remindAt };
}

/** As plain text, if the person chose that for the message before. */
function withoutFormats(composition: Composition): Composition {
  if (!isPlainPreferred()) return composition;
  return { ...composition, html: htmlOfPlain(textOfHtml(composition.html)), isPlain: true };
}

function begin(owner: string, origin: Origin, prefill: Prefill, signature: ChosenSignature | null): Composition {
  const lists: Lists = { to: toRecipients(prefill.to), cc: toRecipients(prefill.cc), bcc: toRecipients(prefill.bcc) };
  const { subject, body: html } = prefill;
  return {
    id: uniqueId(),
    owner,
    key: uniqueId(),
    origin,
    from: null,
    lists,
    typed: { to: '', cc: '', bcc: '' },
    subject,
    html,
    isTextChanged: false,
    signature,
    files: [],
    dropped: [],
    start: { lists, subject, files: carriedFiles({ origin, dropped: [] }) },
    attempt: null,
  };
}

function toRecipients(mailboxes: string[]) {
  return mailboxes.map((text) => recipientOf(readMailbox(text) ?? { name: '', address: text }));
}

function originOf(request: ComposeRequest): Origin {
  if (request.kind === 'new' || request.kind === 'forwardWhole') return { kind: 'new' };
  return request.kind === 'reply' ? { kind: 'reply', emailId: request.email._id } : originOfForward(request.email);
}

/** In plain text, which can't show the pictures of the original, they are files. */
export function originOfForward({ _id: emailId, attachments: files }: Pick<EmailDto, '_id' | 'attachments'>): Origin {
  if (!isPlainPreferred()) return { kind: 'forward', emailId, files };
  const asFiles = files.map((file) => (file.file_type === 'image' ? { ...file, showData: true } : file));
  return { kind: 'forward', emailId, files: asFiles, withPictures: true };
}

function prefillFor(request: ComposeRequest, writer: Writer, chosen: ChosenSignature | null): Prefill {
  const signature = chosen ? quotedHtml(chosen.signature_body) : '';
  switch (request.kind) {
    case 'new':
      return newPrefill(request.prepared, signature);
    case 'reply':
      return {
        ...replyPrefill(request.email, ownAddresses(writer), request.isToAll, signature),
        ...(request.isToList && request.email.list_post !== null && { to: [request.email.list_post], cc: [] }),
      };
    case 'forward':
      return forwardPrefill(request.email, signature);
    case 'forwardWhole':
      return wholePrefill(request.messages, signature);
  }
}
