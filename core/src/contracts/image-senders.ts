import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { id } from './fields.ts';

/**
 * A sender whose remote pictures a person always sees, in messages for which DMARC passed (D42).
 */
export const imageSenderDto = z.object({ _id: z.string(), address: z.string(), createdAt: z.string() });
export type ImageSenderDto = z.infer<typeof imageSenderDto>;

export const listImageSenders = endpoint({
  method: 'GET',
  path: '/mailsetting/image_senders/get/all',
  summary: 'The senders whose remote pictures the caller always sees, by address',
  needs: { model: 'accountsettings', action: 'view' },
  answer: z.array(imageSenderDto),
});

export const addImageSender = endpoint({
  method: 'POST',
  path: '/mailsetting/image_senders/add',
  summary: 'Always shows the remote pictures of the sender of one message, if DMARC passed for it (D42)',
  needs: { model: 'accountsettings', action: 'create' },
  body: z.object({ email_id: id }),
  answer: z.undefined(),
});

export const removeImageSender = endpoint({
  method: 'DELETE',
  path: '/mailsetting/image_senders/delete/:id',
  summary: 'No longer always shows the remote pictures of a sender',
  needs: { model: 'accountsettings', action: 'delete' },
  params: z.object({ id }),
  answer: z.undefined(),
});
