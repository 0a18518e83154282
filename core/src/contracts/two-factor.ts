import { z } from 'zod';
import { signInAnswer } from './auth.ts';
import { endpoint } from './endpoint.ts';
import { codeFields, encodedPassword, id, oneTimeCode, ownName } from './fields.ts';

/** A WebAuthn credential of a person. */
export const passkeyDto = z.object({
  _id: z.string(),
  passkey_name: z.string(),
  createdAt: z.string(),
  last_used: z.string().nullable(),
});
export type PasskeyDto = z.infer<typeof passkeyDto>;

/**
 * Objects of the WebAuthn API in their JSON form (WebAuthn Level 3, 5.1.8). The library on either
 * side checks them.
 */
const webAuthnJson = z.record(z.string(), z.unknown());
/** Real credentials are far smaller than 64 KB. */
const webAuthnResponse = webAuthnJson.refine((value) => JSON.stringify(value).length < 65_536, 'Not a passkey');

const isCodeGiven = ({ otp, recovery_code: code }: { otp?: string | undefined; recovery_code?: string | undefined }) =>
  otp !== undefined || Boolean(code);
const noCode = { path: ['otp'], message: 'Please enter a valid 6-digit OTP.' };

export const verifyPassword = endpoint({
  method: 'POST',
  path: '/user/verify_password',
  summary:
    'First step of turning two-factor on or off: the password, and when turning on a QR code for the app. Turning it on ' +
    'while it is on sets up another app, in a confirmed session; the app before works until the code of the new one',
  needs: 'self',
  beforeTwoFactor: true,
  body: z.object({ password: encodedPassword, onoff_status: z.boolean() }),
  answer: z.object({
    success: z.boolean(),
    message: z.string(),
    /** When turning on: a picture of the QR code as a data URL. */
    data: z.string().nullable(),
    /** When turning on: the secret of the QR code for typing, base32. */
    secret: z.string().nullable(),
    tfa_status: z.boolean(),
  }),
  flat: true,
});

export const verifyOtp = endpoint({
  method: 'POST',
  path: '/user/verify_otp',
  summary: 'Second step: logs in, or when logged in turns two-factor on or off as `tfa_status` says',
  needs: 'second-step',
  beforeTwoFactor: true,
  body: z
    .object({
      email: z.string().max(254).optional(),
      ...codeFields,
      /** Only when logged in: whether two-factor should be on. */
      tfa_status: z.boolean().optional(),
    })
    .refine(isCodeGiven, noCode),
  answer: signInAnswer.extend({
    tfa_status: z.boolean().optional(),
    /**
     * Given once, when two-factor is turned on. Those of before stay when another app is set up.
     */
    recovery_codes: z.array(z.string()).optional(),
  }),
  flat: true,
});

export const sendRecoveryOtp = endpoint({
  method: 'POST',
  path: '/user/2fa_recovery_send_otp',
  summary: 'Mails a code to the confirmed recovery email, for a person who lost their second factor',
  needs: 'second-step',
  body: z.object({ onoff_status: z.boolean().default(false) }),
  answer: z.undefined(),
});

export const verifyRecoveryOtp = endpoint({
  method: 'POST',
  path: '/user/2fa_recovery_verify_otp',
  summary: 'Turns two-factor off with the code that was mailed; a waiting login goes on',
  needs: 'second-step',
  body: z.object({ otp: oneTimeCode, onoff_status: z.literal(false).default(false) }),
  answer: signInAnswer.extend({ tfa_status: z.boolean().optional() }),
  flat: true,
});

export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: '/user/recovery_codes',
  summary: 'Ten new recovery codes for the password and a code, shown once; the old ones are good for nothing any more',
  needs: 'self',
  body: z.object({ password: encodedPassword, ...codeFields }).refine(isCodeGiven, noCode),
  answer: z.object({ recovery_codes: z.array(z.string()) }),
});

/** For so long after a confirmation, the acts that need one do not ask for another. */
export const confirmedMinutes = 15;

export const confirmSession = endpoint({
  method: 'POST',
  path: '/user/confirm',
  summary:
    'Proves that the session is still that of its owner, by the password, with two-factor on beside a code or a ' +
    'passkey; a passkey whose device has checked the person needs no password. ' +
    `For ${confirmedMinutes} minutes the session may do what is otherwise answered 403 \`confirm_first\``,
  needs: 'self',
  body: z
    .object({
      password: encodedPassword.optional(),
      ...codeFields,
      /** The answer of a passkey to `beginPasskeyProof`, in place of a code. */
      response: webAuthnResponse.optional(),
    })
    .refine(({ password, response }) => password !== undefined || response !== undefined, {
      path: ['password'],
      message: 'Password is required',
    }),
  answer: z.object({
    /** ISO 8601, UTC. */
    confirmed_until: z.string(),
  }),
});

export const beginPasskeyProof = endpoint({
  method: 'POST',
  path: '/user/passkeys/confirm_options',
  summary: 'Begins a proof by passkey for `/user/confirm`: what the browser passes to navigator.credentials.get',
  needs: 'self',
  answer: webAuthnJson,
});

export const listPasskeys = endpoint({
  method: 'GET',
  path: '/user/passkeys',
  summary: 'The passkeys of the logged-in person',
  needs: 'self',
  answer: z.array(passkeyDto),
});

export const beginPasskey = endpoint({
  method: 'POST',
  path: '/user/passkeys/options',
  summary:
    'Begins to add a passkey, for the password and a code: what the browser passes to navigator.credentials.create',
  needs: 'self',
  body: z.object({ password: encodedPassword, ...codeFields }),
  answer: webAuthnJson,
});

export const addPasskey = endpoint({
  method: 'POST',
  path: '/user/passkeys',
  summary: 'Adds the passkey that the browser made',
  needs: 'self',
  body: z.object({ passkey_name: ownName('Please enter a name for the passkey'), response: webAuthnResponse }),
  answer: passkeyDto,
});

export const renamePasskey = endpoint({
  method: 'PATCH',
  path: '/user/passkeys/:id',
  summary: 'Names a passkey',
  needs: 'self',
  params: z.object({ id }),
  body: z.object({ passkey_name: ownName('Please enter a name for the passkey') }),
  answer: passkeyDto,
});

export const removePasskey = endpoint({
  method: 'DELETE',
  path: '/user/passkeys/:id',
  summary: 'Removes a passkey',
  needs: 'self',
  params: z.object({ id }),
  answer: z.undefined(),
});

export const beginPasskeySignIn = endpoint({
  method: 'POST',
  path: '/user/passkeys/sign_in_options',
  summary: 'Begins the second step with a passkey: what the browser passes to navigator.credentials.get',
  needs: 'second-step',
  answer: webAuthnJson,
});

export const verifyPasskey = endpoint({
  method: 'POST',
  path: '/user/verify_passkey',
  summary: 'Second step of a login with a passkey',
  needs: 'second-step',
  body: z.object({ response: webAuthnResponse }),
  answer: signInAnswer,
  flat: true,
});
