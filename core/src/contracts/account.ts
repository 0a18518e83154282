import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import {
  codeFields,
  emailAddress,
  encodedPassword,
  id,
  linkToken,
  newPassword,
  ownName,
  passwordField,
  recoveryFields,
} from './fields.ts';
import { asList } from './list.ts';

const passwordPair = {
  new_password: newPassword,
  confirm_password: passwordField('Please confirm your password'),
};
const samePassword = {
  check: (body: { new_password: string; confirm_password: string }) => body.new_password === body.confirm_password,
  problem: { path: ['confirm_password'], message: 'Passwords must match' },
};

/** What the form for changing one's password sends. */
export const passwordChange = z
  .object({
    old_password: passwordField('Current password is required'),
    ...passwordPair,
    /** Own app passwords and passkeys that end with the old password; by default none. */
    end_app_passwords: z.array(id).max(100).default([]),
    end_passkeys: z.array(id).max(100).default([]),
  })
  .refine(samePassword.check, samePassword.problem);

/** What the form behind a mailed link sends. */
export const passwordByLink = z
  .object({ token: linkToken, ...passwordPair })
  .refine(samePassword.check, samePassword.problem);

/** What the form for a forgotten password sends. */
export const passwordRequest = z.object({
  email: emailAddress,
  captcha_text: z.string().max(32).optional(),
  captcha_token: z.string().max(128).optional(),
});

export const changePassword = endpoint({
  method: 'POST',
  path: '/user/change_password',
  summary:
    "Changes the caller's password, and ends all other sessions and the app passwords and passkeys that are named",
  needs: 'self',
  beforePasswordChange: true,
  body: passwordChange,
  answer: z.undefined(),
});

export const forgotPassword = endpoint({
  method: 'POST',
  path: '/user/forgot_password',
  summary: 'Mails a link to the confirmed recovery email of an account; answers the same whether there is one',
  needs: 'public',
  body: passwordRequest,
  answer: z.undefined(),
});

export const checkPasswordLink = endpoint({
  method: 'POST',
  path: '/user/set_password/check',
  summary: 'Whose password a mailed link sets, while it is good',
  needs: 'public',
  body: z.object({ token: linkToken }),
  answer: z.object({ email: z.string() }),
});

export const setPassword = endpoint({
  method: 'POST',
  path: '/user/set_password',
  summary: 'Sets a password with a mailed link, once, and ends all sessions, app passwords and passkeys',
  needs: 'public',
  body: passwordByLink,
  answer: z.undefined(),
});

export const setRecoveryEmail = endpoint({
  method: 'PUT',
  path: '/user/recovery_email',
  summary: 'Sets the recovery email of the caller, or none; it is used once the link mailed to it was opened',
  needs: 'self',
  body: z.object({
    recovery_email: z.union([z.literal(''), emailAddress]),
    password: encodedPassword,
    /** Needed while two-factor is on. */
    ...codeFields,
  }),
  answer: z.object(recoveryFields),
});

export const resendRecoveryLink = endpoint({
  method: 'POST',
  path: '/user/recovery_email/resend',
  summary: 'Mails the link that confirms the recovery email once more',
  needs: 'self',
  answer: z.undefined(),
});

export const confirmRecoveryEmail = endpoint({
  method: 'POST',
  path: '/user/recovery_email/confirm',
  summary: 'Confirms a recovery email with the link that was mailed to it',
  needs: 'public',
  body: z.object({ token: linkToken }),
  answer: z.object({ recovery_email: z.string() }),
});

/** A password of one mail program, without the password. */
export const appPasswordDto = z.object({
  _id: z.string(),
  app_name: z.string(),
  createdAt: z.string(),
  last_used: z.string().nullable(),
  last_used_ip: z.string().nullable(),
});
export type AppPasswordDto = z.infer<typeof appPasswordDto>;

/** What a mail program needs to send through this host. */
export const submissionServerDto = z.object({
  host: z.string(),
  /** The port with TLS from the first byte. */
  tls_port: z.number().int(),
  starttls_port: z.number().int(),
});
export type SubmissionServerDto = z.infer<typeof submissionServerDto>;

export const listAppPasswords = endpoint({
  method: 'GET',
  path: '/user/app_passwords',
  summary: "The passwords of the caller's mail programs",
  needs: 'self',
  answer: z.array(appPasswordDto),
});

export const createAppPassword = endpoint({
  method: 'POST',
  path: '/user/app_passwords',
  summary: 'Makes a password for one mail program; it is shown once',
  needs: { model: 'accountsettings', action: 'create' },
  body: z.object({
    app_name: ownName('Please enter a name for the mail program'),
    password: encodedPassword,
    /** Needed while two-factor is on. */
    ...codeFields,
  }),
  answer: appPasswordDto.extend({ app_password: z.string(), server: submissionServerDto }),
});

export const removeAppPassword = endpoint({
  method: 'DELETE',
  path: '/user/app_passwords/:id',
  summary: 'Takes the password of a mail program back',
  needs: { model: 'accountsettings', action: 'delete' },
  params: z.object({ id }),
  answer: z.undefined(),
});

/** One event of a person's own account. */
export const activityDto = z.object({
  _id: z.string(),
  /** `<entity>:<verb>`, see core/src/access/audit.ts. */
  action: z.string(),
  ip: z.string(),
  createdAt: z.string(),
});
export type ActivityDto = z.infer<typeof activityDto>;

export const listActivity = endpoint({
  method: 'GET',
  path: '/user/activity',
  summary:
    "What happened to the caller's account, and what the caller did to anything but accounts of others, the latest first unless told; searched by action and address",
  needs: 'self',
  ...asList({ sort: ['createdAt'], defaultSort: '-createdAt', filters: {} }),
  answer: z.array(activityDto),
});
