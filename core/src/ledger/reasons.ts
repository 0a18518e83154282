/**
 * Why a delivery is in its state. The ledger, the log and the metrics use the same words, so that
 * they all tell the same about a message.
 */
export const reasons = [
  // On acceptance
  'accepted',
  'unknown_recipient',
  'inactive_mailbox',
  'mailbox_full',
  'deleted_mailbox',
  'unproved_domain',
  'relay_denied',
  'not_allowed_to_send_as',
  'login_required',
  'dmarc_reject',
  'message_too_large',
  'too_complex',
  'header_over_limit',
  'malformed_message',
  'bare_line_feed',
  'too_many_recipients',
  'rate_limited',
  'internal_error',
  // While it waits
  'held_for_undo',
  'scheduled',
  'waiting_for_key',
  'held_by_administrator',
  // After an attempt, or at its end. The inbound door refuses mail for some of them too
  'stored_locally',
  'restored',
  'duplicate',
  'remote_accepted',
  'remote_refused',
  'remote_deferred',
  'remote_lacks_extension',
  'connection_failed',
  'timeout',
  'dns_failure',
  'no_such_domain',
  'null_mx',
  'no_mail_host',
  'private_address',
  'tls_required_failed',
  'tls_policy',
  'loop',
  'forwarding_loop',
  'forwarding_ended',
  'expired',
  'given_up',
  'cancelled_by_sender',
  'sender_not_in_use',
  'sender_may_not_send',
  'sender_address_gone',
] as const;

/** A reason of this list. */
export type Reason = (typeof reasons)[number];
