import { replyOrForward, sendEmail } from '@selvage/core/contracts/mail';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../lib/api.ts';
import { fetchAttachment } from '../download.ts';
import type { ComposeRequest, Draft } from './compose-store.ts';
import type { Sent } from './SendBanner.tsx';
import type { FinishedMessage } from './use-compose-form.ts';

interface SendFields {
  recipient_emails_to: string[];
  recipient_emails_cc: string[];
  recipient_emails_bcc: string[];
  subject: string;
  body: string;
}

function send(request: ComposeRequest, message: FinishedMessage, onProgress: (share: number) => void): Promise<Sent> {
  const fields: SendFields = {
    recipient_emails_to: message.to,
    recipient_emails_cc: message.cc,
    recipient_emails_bcc: message.bcc,
    subject: message.subject,
    body: message.body,
  };
  const extras = { files: message.files, onProgress };
  if (request.kind === 'reply' || request.kind === 'forward') {
    const body = {
      ...fields,
      originalEmailId: request.email._id,
      is_reply: request.kind === 'reply',
      without_attachments: message.withoutAttachments,
    };
    return api(replyOrForward, { body, ...extras });
  }
  if (request.kind === 'draft') return sendDraft(request.draft, message, fields, onProgress);
  return api(sendEmail, { body: fields, ...extras });
}

/**
 * A draft brings all of its files along. When some were taken away, the message goes as a new one with the files that stayed.
 */
async function sendDraft(
  draft: Draft,
  message: FinishedMessage,
  fields: SendFields,
  onProgress: (share: number) => void,
): Promise<Sent> {
  if (message.withoutAttachments.length === 0) {
    return api(sendEmail, { body: { ...fields, draft_id: draft._id }, files: message.files, onProgress });
  }
  const kept = draft.attachments.filter((file) => !message.withoutAttachments.includes(file._id));
  const files = await Promise.all(
    kept.map(async (file) => new File([await fetchAttachment(file)], file.original_name, { type: file.contentType })),
  );
  return api(sendEmail, { body: fields, files: [...files, ...message.files], onProgress });
}

/** Sends the message at once; the server holds the deliveries while it can still be taken back. */
export function useSend(request: ComposeRequest) {
  const client = useQueryClient();
  const [progress, setProgress] = useState<number | null>(null);
  const mutation = useMutation({
    mutationFn: (message: FinishedMessage) => {
      const hasFiles = message.files.length > 0;
      return send(request, message, (share) => hasFiles && setProgress(share));
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['mail'] }),
    onSettled: () => setProgress(null),
  });
  return { ...mutation, progress };
}
