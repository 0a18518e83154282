import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { id, oneLine, startVersion } from './fields.ts';

/** A text that a person puts under their mail; the body is sanitised HTML. */
export const signatureDto = z.object({
  _id: z.string(),
  signature_name: z.string(),
  signature_body: z.string(),
  /** Raised by each change; a form sends it back. */
  version: z.number().int(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type SignatureDto = z.infer<typeof signatureDto>;

const name = z
  .string({ error: 'Please enter a signature name' })
  .trim()
  .min(1, 'Please enter a signature name')
  .max(100, 'Maximum 100 characters allowed')
  .refine(...oneLine);
/** Pictures in it are data URLs, so it may be large, but every mail carries it. */
const body = z
  .string({ error: 'Please enter signature content' })
  .trim()
  .min(1, 'Please enter signature content')
  .max(200_000, 'The signature is too large: at most 200 KB with its pictures');

/** What the form of a signature sends. */
export const signatureForm = z.object({ signature_name: name, signature_body: body });

export const createSignature = endpoint({
  method: 'POST',
  path: '/mailsetting/signature/create',
  summary: 'Saves a new signature',
  needs: { model: 'accountsettings', action: 'create' },
  body: signatureForm,
  answer: signatureDto,
});

export const updateSignature = endpoint({
  method: 'PATCH',
  path: '/mailsetting/signature/update/:id',
  summary: 'Renames a signature or changes its text',
  needs: { model: 'accountsettings', action: 'edit' },
  params: z.object({ id }),
  body: z.object({ signature_name: name.optional(), signature_body: body.optional(), version: startVersion }),
  answer: signatureDto,
});

export const listSignatures = endpoint({
  method: 'GET',
  path: '/mailsetting/signature/get/all',
  summary: "The caller's signatures, by name",
  needs: 'self',
  answer: z.array(signatureDto),
});

const choice = z
  .union([id, z.literal('')])
  .nullable()
  .optional();

export const setSignaturePreferences = endpoint({
  method: 'PUT',
  path: '/mailsetting/signature/update/preferences',
  summary: 'Chooses what new mail and what replies and forwards are signed with; empty is nothing',
  needs: { model: 'accountsettings', action: 'edit' },
  body: z.object({ signature_new_emails_use: choice, signature_reply_forward_emails_use: choice }),
  answer: z.undefined(),
});

export const removeSignature = endpoint({
  method: 'DELETE',
  path: '/mailsetting/signature/delete/:id',
  summary: 'Deletes a signature',
  needs: { model: 'accountsettings', action: 'delete' },
  params: z.object({ id }),
  answer: z.undefined(),
});
