import { createHmac, timingSafeEqual } from 'node:crypto';
import { letters, timeOfMailId } from '../mail/mail-id.ts';
import type { SecretsBox } from '../secrets/secrets-box.ts';
import type { Reason } from './reasons.ts';
import { dayMs } from '../utc-day.ts';

/*
 * The code in a reply that refuses mail (D65): a letter for the reason, the mail id that is also in
 * the ledger, and a MAC of both. The mail id contains the time, so nothing is stored for a code.
 */

/**
 * The number of the letter for each reason that the inbound door tells a sender. Codes outlive a
 * version, so a number must never get another meaning. Reasons that a reply does not distinguish
 * have the same number, so that the page of the code does not distinguish them either.
 */
const numbers = {
  unknown_recipient: 1,
  deleted_mailbox: 1,
  inactive_mailbox: 2,
  mailbox_full: 3,
  unproved_domain: 4,
  relay_denied: 5,
  dmarc_reject: 6,
  message_too_large: 7,
  too_complex: 8,
  header_over_limit: 9,
  malformed_message: 10,
  bare_line_feed: 11,
  too_many_recipients: 12,
  rate_limited: 13,
  internal_error: 14,
  timeout: 15,
  loop: 16,
  dns_failure: 17,
  // The inbound door never refuses with these
  accepted: null,
  not_allowed_to_send_as: null,
  login_required: null,
  held_for_undo: null,
  scheduled: null,
  waiting_for_key: null,
  held_by_administrator: null,
  stored_locally: null,
  restored: null,
  duplicate: null,
  remote_accepted: null,
  remote_refused: null,
  remote_lacks_extension: null,
  remote_deferred: null,
  connection_failed: null,
  no_such_domain: null,
  null_mx: null,
  no_mail_host: null,
  private_address: null,
  tls_required_failed: null,
  tls_policy: null,
  forwarding_loop: null,
  forwarding_ended: null,
  expired: null,
  given_up: null,
  cancelled_by_sender: null,
  sender_not_in_use: null,
  sender_may_not_send: null,
  sender_address_gone: null,
} as const satisfies Record<Reason, number | null>;

type Numbered = { [Word in Reason]: (typeof numbers)[Word] extends number ? Word : never }[Reason];

/** A reason that a sender is told. */
export type ToldReason = Exclude<Numbered, 'deleted_mailbox'>;

const words = Object.entries(numbers) as [Reason, number | null][];

/** The reasons in the ledger for which a sender is told this reason. */
export function reasonsToldAs(told: ToldReason): Reason[] {
  return words.flatMap(([reason, number]) => (number === numbers[told] ? [reason] : []));
}

/** How long the page of a code is available. */
const lifetimeMs = 30 * dayMs;
/** Five bits each, so the MAC has 80. */
const macLetters = 16;
const idLetters = 20;
const form = new RegExp(`^[${letters}]{${1 + idLetters + macLetters}}$`);

/** The code for a refusal; null for a reason that no sender is told. */
export function refusalCode(secrets: SecretsBox, reason: Reason, mailId: string): string | null {
  const number = numbers[reason];
  if (number === null) return null;
  const content = `${letters[number]}${mailId}`;
  return content + macOf(secrets, content);
}

/** The contents of a code. */
export interface ReadCode {
  reason: ToldReason;
  mailId: string;
  /** When the refused transaction began. */
  at: Date;
  isOver: boolean;
}

/** Reads a code in any case; null for a code that this host has not made. */
export function readRefusalCode(secrets: SecretsBox, typed: string, now = Date.now()): ReadCode | null {
  const code = typed.toLowerCase();
  if (!form.test(code)) return null;
  const content = code.slice(0, -macLetters);
  if (!timingSafeEqual(Buffer.from(macOf(secrets, content)), Buffer.from(code.slice(-macLetters)))) return null;
  const told = words.find(([, number]) => number === letters.indexOf(code.charAt(0)));
  const mailId = content.slice(1);
  const at = new Date(timeOfMailId(mailId));
  return told ? { reason: told[0] as ToldReason, mailId, at, isOver: at.getTime() + lifetimeMs < now } : null;
}

function macOf(secrets: SecretsBox, content: string): string {
  const mac = createHmac('sha256', secrets.key('refusal-code')).update(content).digest();
  let text = '';
  // 256 is a multiple of 32, so all letters are equally likely
  for (let at = 0; at < macLetters; at += 1) text += letters[(mac[at] ?? 0) % 32];
  return text;
}
