import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { backupReaderDto } from './mail-backups.ts';

/**
 * What could have let an administrator into an account: what they did to it, and a password that
 * was set with a link to an address which they had chosen.
 */
export const administratorActs = [
  'password:set-by-administrator',
  'two-factor:off',
  'recovery-email:changed',
  'password:link-mailed',
  'password:set-by-link',
] as const;

/** The most acts, and the most former addresses, that an answer has. */
export const mostAccessEvents = 20;

/**
 * An address that gets copies of the caller's mail, or got them (D35). If it got all mail in one
 * period and a part of it in another, each period is an entry.
 */
export const forwardedToDto = z.object({
  address: z.string(),
  since: z.string(),
  /** Null while it still gets them. */
  until: z.string().nullable(),
  /** Whether it gets only what a filter names. */
  is_filtered: z.boolean(),
});
export type ForwardedToDto = z.infer<typeof forwardedToDto>;

/** Ways into an account of one kind. */
const waysInDto = z.object({
  count: z.number().int(),
  /** When one of them was used last; null when none ever was. */
  last_used: z.string().nullable(),
});

/** All that could let a person besides the caller read the caller's mail (D32). ISO 8601, UTC. */
export const mailAccessDto = z.object({
  /** People who were given a copy of it (D54). */
  copies: z.array(backupReaderDto),
  /** The current address first. */
  forwarded_to: z.array(forwardedToDto),
  /** Archives of the company that were made while the caller was in it, the latest first (D66). */
  archives: z.array(
    z.object({
      _id: z.string(),
      /** Name of the person who had it made. */
      name: z.string(),
      createdAt: z.string(),
      /** Whether the host still has the file. */
      is_kept: z.boolean(),
    }),
  ),
  /** What administrators did to the account, or made possible, the latest first. */
  administrators: z.array(
    z.object({
      _id: z.string(),
      action: z.enum(administratorActs),
      /** The address of one that was permanently deleted; null where none is known. */
      name: z.string().nullable(),
      /** Empty for the operator, who does it on the host itself. */
      ip: z.string(),
      createdAt: z.string(),
    }),
  ),
  /** Sessions besides the one that asks. */
  other_sessions: waysInDto,
  passkeys: waysInDto,
  /** Mail programs with a password of their own. */
  app_passwords: waysInDto,
});
export type MailAccessDto = z.infer<typeof mailAccessDto>;

export const readMailAccess = endpoint({
  method: 'GET',
  path: '/user/mail_access',
  summary: 'What could let another person read the mail of the logged-in person, now and in the last year (D32)',
  needs: 'self',
  answer: mailAccessDto,
});
