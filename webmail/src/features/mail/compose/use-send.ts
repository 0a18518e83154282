import { replyOrForward, sendEmail } from '@selvage/core/contracts/mail';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../lib/api.ts';
import type { ComposeRequest } from './compose-context.ts';
import type { Sent } from './SendBanner.tsx';
import type { FinishedMessage } from './use-compose-form.ts';

function send(request: ComposeRequest, message: FinishedMessage, onProgress: (share: number) => void): Promise<Sent> {
  const fields = {
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
  const draft = request.kind === 'draft' ? { draft_id: request.draft._id } : {};
  return api(sendEmail, { body: { ...fields, ...draft }, ...extras });
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
