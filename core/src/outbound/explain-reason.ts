import type { Reason } from '../ledger/reasons.ts';

const explanations: Partial<Record<Reason, string>> = {
  unknown_recipient: 'there is no such mailbox',
  deleted_mailbox: 'the mailbox no longer exists',
  unproved_domain: 'the domain is not verified yet',
  inactive_mailbox: 'the mailbox is not accepting mail at the moment',
  mailbox_full: 'the mailbox is full',
  too_complex: 'the structure of the message is too complex. Send its parts as separate messages',
  message_too_large: 'the message is larger than the server of the recipient takes',
  remote_refused: 'the server of the recipient refused the message',
  remote_lacks_extension: 'the server of the recipient does not support what the message needs',
  remote_deferred: 'the server of the recipient asked to try again later',
  connection_failed: 'the server of the recipient could not be reached',
  timeout: 'the server of the recipient did not answer in time',
  dns_failure: 'the name servers of the domain did not answer',
  no_such_domain: 'the domain does not exist',
  null_mx: 'the domain does not take mail',
  no_mail_host: 'the domain has no server that takes mail',
  private_address: 'the domain names a server that only a private network can reach',
  tls_required_failed: 'no encrypted connection to the server of the recipient could be made',
  tls_policy: 'the domain requires a verified encrypted connection, and none could be made',
  loop: 'the domain points to this server, but is not hosted here',
  expired: 'it could not be delivered before we stopped trying',
  given_up: 'an administrator stopped trying to deliver it',
  sender_may_not_send: 'you may no longer send mail. Ask your administrator',
  sender_address_gone: 'the address that it was to be sent from is no longer yours',
  rate_limited: 'there were too many messages at once',
  internal_error: 'there was a problem on our side',
};

/**
 * A reason as a sentence about one recipient, for people who don't know the terms of mail servers.
 */
export function explain(reason: Reason): string {
  return explanations[reason] ?? 'the message could not be delivered';
}
