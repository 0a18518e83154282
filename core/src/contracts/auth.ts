import { z } from 'zod';
import { choicesDto } from './choices.ts';
import { endpoint } from './endpoint.ts';
import { encodedPassword, recoveryFields } from './fields.ts';
import { forwardingFields } from './forwarding.ts';
import { permissionActions } from './permissions.ts';

/** The most sessions that a host can be set to let a person have (`SESSION_LIMIT`). */
export const mostSessions = 1000;

/** One logged-in device of a person. Times are ISO 8601, UTC. */
export const sessionDto = z.object({
  /** Public random id; it gives no access. */
  session_id: z.string(),
  device_ip: z.string(),
  user_agent: z.string(),
  login_time: z.string(),
  last_active: z.string(),
  token_version: z.number().int(),
});
export type SessionDto = z.infer<typeof sessionDto>;

/** One row of the permission matrix. */
export const permissionEntry = z.object({
  model: z.string(),
  ...(Object.fromEntries(permissionActions.map((action) => [action, z.boolean()])) as Record<
    (typeof permissionActions)[number],
    z.ZodBoolean
  >),
});
export type PermissionEntry = z.infer<typeof permissionEntry>;

/** A signature as a preference carries it. */
const signatureRef = z.object({ _id: z.string(), signature_name: z.string(), signature_body: z.string() });

/** The logged-in person. Times are ISO 8601, UTC. */
export const currentUserDto = z.object({
  _id: z.string(),
  fname: z.string(),
  lname: z.string(),
  email: z.string(),
  /** The aliases that the person may send from, by address. */
  aliases: z.array(z.string()),
  /**
   * `_id` names the role's record, `role_id` is its number within the company: 0 Super Admin, 1
   * Admin, 2 User.
   */
  role_id: z.object({ _id: z.string(), role_id: z.number().int(), role_name: z.string() }),
  /** People of the company with `is_provider` see every tenant (D1). */
  company_id: z.object({ _id: z.string(), name: z.string(), email: z.string(), is_provider: z.boolean() }),
  /** Effective permissions (D4). */
  permissions: z.array(permissionEntry),
  avatar: z.string().nullable(),
  designation: z.string().nullable(),
  bio: z.string().nullable(),
  country: z.string().nullable(),
  phone_number: z.string().nullable(),
  active_status: z.boolean(),
  /** The domain of the address. */
  domain_id: z.string().nullable(),
  ...recoveryFields,
  ...forwardingFields,
  /** The vacation reply is on, whatever its days are (D47). */
  vacation_on: z.boolean(),
  twoFactorStatus: z.boolean(),
  /**
   * The role asks for a second factor and the person has none: until when they may go on without
   * it (ISO 8601, UTC), and whether that moment has passed. Else null.
   */
  two_factor_due: z.object({ at: z.string(), is_over: z.boolean() }).nullable(),
  /** The number of recovery codes that still work. */
  recovery_codes_left: z.number().int(),
  signature_new_emails_use: signatureRef.nullable(),
  signature_reply_forward_emails_use: signatureRef.nullable(),
  /** For how long a sent message can be taken back; milliseconds (D29). */
  undo_ms: z.number().int(),
  /** How the person likes the web app to be. */
  choices: choicesDto,
  required_data: z.boolean(),
  password_change_required: z.boolean(),
  /** Raised by every change that makes older tokens invalid (D4). */
  token_version: z.number().int(),
  session_id: z.string(),
  /** Raised by each change of the profile; its form sends it back. */
  version: z.number().int(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type CurrentUserDto = z.infer<typeof currentUserDto>;

export const getCaptcha = endpoint({
  method: 'GET',
  path: '/captcha',
  summary: 'A picture of letters to copy, good for one login within five minutes',
  needs: 'public',
  answer: z.object({ success: z.boolean(), svg: z.string(), captcha_token: z.string() }),
  flat: true,
});

export const getCaptchaSound = endpoint({
  method: 'GET',
  path: '/captcha/sound',
  summary: 'The letters of a captcha spoken, for people who can’t see the picture: a WAV file in base64',
  needs: 'public',
  query: z.object({ captcha_token: z.string().min(1).max(128) }),
  answer: z.object({ success: z.boolean(), wav: z.base64() }),
  flat: true,
});

/**
 * For how many seconds the `token` beside it is good (RFC 6749 5.1). A client counts them from the
 * moment the answer came and does not compare the token's `exp` with its own clock, which may be
 * wrong.
 */
const lifetime = z.number().int().positive();

/** What a step of a login leads to: tokens, another step, or sessions of which one has to end. */
export const signInAnswer = z.object({
  success: z.boolean(),
  message: z.string(),
  /** Access token; at the session limit, one that can only list and end sessions (D11). */
  token: z.string().optional(),
  expires_in: lifetime.optional(),
  refreshToken: z.string().optional(),
  otpRequired: z.boolean().optional(),
  /** The second factors that the person can use now; set when `otpRequired`. */
  second_factors: z.array(z.enum(['totp', 'passkey', 'recovery_code', 'recovery_email'])).optional(),
  /**
   * The password was set with a link to the recovery address, so a code to that address is no
   * factor until the person has passed another one; set when `otpRequired`.
   */
  password_by_recovery_email: z.boolean().optional(),
  device_limit_reached: z.boolean().optional(),
  twoFactorStatus: z.boolean().optional(),
  active_sessions: z.array(sessionDto).optional(),
  password_change_required: z.boolean().optional(),
  required_data: z.boolean().optional(),
});
export type SignInAnswer = z.infer<typeof signInAnswer>;

export const login = endpoint({
  method: 'POST',
  path: '/user/login',
  summary: 'Logs a person in with email, password and captcha',
  needs: 'public',
  body: z.object({
    email: z
      .string({ error: 'Email is required' })
      .trim()
      .min(1, 'Email is required')
      .max(254, 'Invalid email address'),
    password: encodedPassword,
    captcha_text: z.string().max(32).optional(),
    captcha_token: z.string().max(128).optional(),
  }),
  answer: signInAnswer,
  flat: true,
});

/**
 * The codes with which `refresh` says that the session is over and the person has to log in again.
 * A client ends its session for these and for nothing else: every other failure of that call (408,
 * 413, 429, 499, 503, the page of a proxy) leaves the session as it is, and the client asks again.
 */
export const sessionOverCodes = ['refresh_token_invalid', 'session_ended', 'account_unusable'] as const;
export type SessionOverCode = (typeof sessionOverCodes)[number];

export const refresh = endpoint({
  method: 'POST',
  path: '/user/refresh',
  summary: 'Exchanges a refresh token for a new pair; the same again for 30 seconds, after that the session ends',
  needs: 'public',
  /**
   * Any text is accepted as a token: for one that was damaged where the client kept it, the answer
   * must be that the session is over.
   */
  body: z.object({ refreshToken: z.string({ error: 'refreshToken is required' }) }),
  answer: z.object({
    success: z.boolean(),
    message: z.string(),
    token: z.string(),
    expires_in: lifetime,
    refreshToken: z.string(),
  }),
  flat: true,
});

export const getCurrentUser = endpoint({
  method: 'GET',
  path: '/user/info',
  summary: 'The logged-in person with their effective permissions',
  needs: 'self',
  beforePasswordChange: true,
  answer: z.object({
    success: z.boolean(),
    message: z.string(),
    token_version: z.number().int(),
    data: currentUserDto,
  }),
  flat: true,
});

export const getActiveSessions = endpoint({
  method: 'GET',
  path: '/user/active_sessions',
  summary: 'The sessions of the logged-in person',
  needs: 'pending',
  beforePasswordChange: true,
  answer: z.array(sessionDto),
});

export const logout = endpoint({
  method: 'POST',
  path: '/user/logout',
  summary: 'Ends the listed sessions of the logged-in person, or the current one when none is listed',
  needs: 'pending',
  beforePasswordChange: true,
  body: z.object({
    session_ids: z
      .array(z.string().regex(/^[0-9a-f]{32}$/))
      .max(mostSessions)
      .optional(),
  }),
  answer: z.undefined(),
});
