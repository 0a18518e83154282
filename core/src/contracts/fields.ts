import { z } from 'zod';
import { isId } from './is-id.ts';

export { encodePassword } from './encode-password.ts';

/** A record's id as a string. Any other text is refused before it reaches the database. */
export const id = z.string().refine(isId, 'Not a valid id');

/**
 * A number from a query string or a form: its digits, perhaps after a minus. `Number` would also
 * take `0x10`, `1e3`, blanks and nothing for numbers, which their sender hardly means.
 */
export const fromDigits = (number: z.ZodNumber) =>
  z.preprocess((value) => {
    if (typeof value !== 'string') return value;
    return /^-?\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
  }, number);

/** A 1-based page number from a query string. */
export const page = fromDigits(
  z.number().int('Page must be a whole number').min(1, 'Page must be at least 1').max(1_000_000_000),
).default(1);

/** Rows of a page, from a query string. */
export const limit = fromDigits(z.number().int('Limit must be a whole number').min(1).max(100)).default(10);

/** `true` or `false` in a query string. */
export const flag = z.enum(['true', 'false']).transform((text) => text === 'true');

const notAVersion = 'Not a version';

/**
 * The `version` of the record that a form started from; a multipart form sends it as text. A change
 * from an older version is answered 409 `changed_meanwhile`. Without it the change is made,
 * whatever was changed meanwhile.
 */
export const startVersion = z
  .union(
    [
      z.number().int().positive(notAVersion),
      z
        .string()
        .regex(/^[1-9]\d{0,9}$/)
        .transform(Number),
    ],
    { error: notAVersion },
  )
  .optional();

/**
 * A password as base64 of its UTF-8 bytes (D9). Its output is the decoded text.
 * @param required the message when there is none
 */
export const passwordField = (required: string) =>
  z
    .string({ error: required })
    .min(1, required)
    .max(1400, 'Password is too long')
    .transform((text, context) => {
      const decoded = decodeBase64Utf8(text);
      if (decoded === null) {
        context.addIssue({ code: 'custom', message: 'Password is not base64 of UTF-8 text' });
        return z.NEVER;
      }
      return decoded;
    })
    .describe('Base64 of the UTF-8 text');

export const encodedPassword = passwordField('Password is required');

/**
 * A password that a person sets, encoded alike (D9, D14). The server checks more with
 * `passwordProblem`.
 */
export const newPassword = encodedPassword.refine(
  (password) => Array.from(password).length >= 8,
  'Password must be at least 8 characters',
);

/** Six digits, from an app or from a mail. */
export const oneTimeCode = z
  .string({ error: 'Please enter a valid 6-digit OTP.' })
  .trim()
  .regex(/^\d{6}$/, 'Please enter a valid 6-digit OTP.');

/** The fields that prove a second factor. A change that adds a way to bypass it needs one (D13). */
export const codeFields = {
  otp: oneTimeCode.optional(),
  /** One of the ten codes, in place of `otp`. */
  recovery_code: z.string().trim().max(32).optional(),
};

/**
 * A field for an email address, with the words of its form. The pattern goes over a text once,
 * whatever an attacker writes: after the @ it stops at the first dot that may be the one.
 */
export const addressField = (words: { required: string; invalid: string }) =>
  z
    .string({ error: words.required })
    .trim()
    .min(1, words.required)
    .max(254, { error: words.invalid, abort: true })
    .regex(/^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/, words.invalid);

/** An address to write to; the server stores it in lower case. */
export const emailAddress = addressField({ required: 'Email is required', invalid: 'Invalid email format' });

/**
 * Control characters, line breaks, and characters that turn the direction of the text around them.
 * A text of one line stands beside others on screens, in notices and in header fields.
 */
const brokenLine = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/** What is refused in a text of one line, and why; for `refine`. */
export const oneLine = [(text: string) => !brokenLine.test(text), 'One line without control characters'] as const;

/** A name that a person gives to one of their own things, such as a passkey. */
export const ownName = (required: string) =>
  z
    .string({ error: required })
    .trim()
    .min(1, required)
    .max(100, 'Maximum 100 characters allowed')
    .refine(...oneLine);

/**
 * Turns base64 into text, or null when it is not base64 or not UTF-8. Works in browsers and in
 * Node.
 */
export function decodeBase64Utf8(text: string): string | null {
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // atob and a fatal decoder throw for nothing but bad input
    return null;
  }
}

/** The secret part of a mailed link. */
export const linkToken = z.string().min(1).max(128);

/** A day of the calendar, from 1970 on, as `2026-11-23`. */
export const day = z.string().refine(isDay, 'Enter a date as YYYY-MM-DD');

function isDay(text: string): boolean {
  if (!/^(?:19[7-9]\d|2\d{3})-\d\d-\d\d$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** The IANA name of a time zone, as `Asia/Kolkata`. */
export const timeZone = z.string().max(64).refine(isTimeZone, 'Not a time zone');

function isTimeZone(name: string): boolean {
  try {
    // Offsets such as `+05:30` are no names
    return /^[\w+/-]+$/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }).format().length > 0;
  } catch {
    return false;
  }
}

/** The recovery address of a person, as answers show it. */
export const recoveryFields = {
  /** As it was entered last. */
  recovery_email: z.string().nullable(),
  /** True when `recovery_email` is the address that is used. */
  recovery_email_confirmed: z.boolean(),
  /**
   * Where links and codes go now: the last address whose owner has opened the link that was mailed
   * to it, unless it no longer counts. Another one may wait in `recovery_email` to be confirmed.
   */
  recovery_email_in_force: z.string().nullable(),
  /** True when `recovery_email` was confirmed but no longer counts. */
  recovery_email_lapsed: z.boolean(),
};
