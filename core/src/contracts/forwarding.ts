import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { emailAddress, encodedPassword, id, linkToken } from './fields.ts';

/** Where copies of a person's mail go (D35). */
export const forwardingFields = {
  forward_to: z.string().nullable(),
  /** True when the owner of that address has agreed; until then nothing is forwarded. */
  forward_confirmed: z.boolean(),
  /** Only what a filter names is forwarded (D46). */
  forward_filtered: z.boolean(),
};

/** What the form for forwarding sends, without the password. */
export const forwardingForm = z.object({ forward_to: emailAddress });

export const setForwarding = endpoint({
  method: 'PUT',
  path: '/user/forwarding',
  summary: "Forwards copies of the caller's mail to an address, once the link mailed to it was opened",
  needs: { model: 'accountsettings', action: 'create' },
  body: forwardingForm.extend({ password: encodedPassword }),
  answer: z.object(forwardingFields),
});

export const setForwardingScope = endpoint({
  method: 'PUT',
  path: '/user/forwarding/scope',
  summary: "Forwards all of the caller's mail, or only what a filter names",
  needs: { model: 'accountsettings', action: 'edit' },
  body: z.object({ forward_filtered: z.boolean() }),
  answer: z.object(forwardingFields),
});

export const stopForwarding = endpoint({
  method: 'DELETE',
  path: '/user/forwarding',
  summary: "Stops forwarding the caller's mail",
  needs: { model: 'accountsettings', action: 'delete' },
  answer: z.undefined(),
});

export const resendForwardingLink = endpoint({
  method: 'POST',
  path: '/user/forwarding/resend',
  summary: 'Mails the link with which the owner of the address agrees once more',
  needs: { model: 'accountsettings', action: 'create' },
  answer: z.undefined(),
});

export const confirmForwarding = endpoint({
  method: 'POST',
  path: '/user/forwarding/confirm',
  summary: 'Agrees to get copies of the mail of a person, with the link that was mailed to the address',
  needs: 'public',
  body: z.object({ token: linkToken }),
  answer: z.object({ forward_to: z.string(), email: z.string() }),
});

export const stopUserForwarding = endpoint({
  method: 'POST',
  path: '/user/forwarding/off/:id',
  summary: 'Ends the forwarding of another person; they are told by mail',
  needs: { model: 'user', action: 'edit' },
  params: z.object({ id }),
  answer: z.undefined(),
});
