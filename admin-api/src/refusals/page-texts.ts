import type { ToldReason } from '@selvage/core/ledger/refusal-code';

/** The text of the page for a reason, in plain words for a sender who has never heard of SMTP. */
export interface RefusalText {
  title: string;
  why: string;
  /**
   * What the sender can do. `{size}` is replaced by the size of the largest message that this host
   * accepts.
   */
  advice: string[];
  /** False when the sender's server will try again. */
  isFinal: boolean;
}

const writesBadly = 'If you look after the program or the server that sent it: {rule}';

/** One text for each reason. None reveals more about a mailbox than the SMTP reply did. */
export const refusalTexts: Record<ToldReason, RefusalText> = {
  unknown_recipient: {
    title: 'There is no such mailbox',
    why: 'The address that you wrote to does not exist here.',
    advice: [
      'Look for a typing mistake in the address: a letter too many, a missing dot, the wrong ending.',
      'If your program filled the address in, delete its suggestion and type the address again.',
      'Ask the person for their address in another way, such as by telephone.',
    ],
    isFinal: true,
  },
  inactive_mailbox: {
    title: 'The mailbox takes no mail at the moment',
    why: 'The address is switched off for now, so its mail has to wait.',
    advice: [
      'You need to do nothing: if the mailbox is switched on again in time, the message is delivered.',
      'If it is urgent, reach the person in another way.',
    ],
    isFinal: false,
  },
  mailbox_full: {
    title: 'The mailbox is full',
    why: 'There was no room for your message in the mailbox.',
    advice: [
      'You need to do nothing: as soon as there is room, the message is delivered.',
      'If it is urgent, reach the person in another way, so that they can make room.',
    ],
    isFinal: false,
  },
  unproved_domain: {
    title: 'The domain is not ready for mail yet',
    why: 'Mail for this domain is led to us already, but its owner has not finished setting it up here.',
    advice: [
      'You need to do nothing: as soon as the domain is ready, the message is delivered.',
      'If you are its owner, finish its setup in the console of this host.',
    ],
    isFinal: false,
  },
  relay_denied: {
    title: 'The address is not one of ours',
    why: 'This host takes mail from other servers for its own domains only, and the address is in none of them.',
    advice: [
      'Check the part of the address after the @ for typing mistakes.',
      'If it is your own domain, its MX record leads to a host that does not know it. Correct the record, or add the domain here.',
      'If you have a mailbox here, let your program log in: choose the submission port (587 or 465) for outgoing mail.',
    ],
    isFinal: true,
  },
  dmarc_reject: {
    title: 'The sender could not be confirmed',
    why: 'The domain of the sender asks all mail servers to refuse mail that fails its checks (DMARC), and this message failed them. That protects the domain from mail in its name that others write.',
    advice: [
      'Send from the mail service that belongs to your address, not through another program or web site.',
      'If it was forwarded or came by a mailing list, send it to the recipient directly.',
      'If you look after the domain: let every service that sends for it sign with DKIM in its name, or name the service in its SPF record.',
    ],
    isFinal: true,
  },
  message_too_large: {
    title: 'The message is too large',
    why: 'It is larger than this host takes, or than the mailbox has room for at all. Attachments grow by about a third on their way.',
    advice: [
      'Send fewer or smaller attachments, or a link to them. This host takes messages of up to {size}; a mailbox may take less.',
    ],
    isFinal: true,
  },
  too_complex: {
    title: 'The message is built in a way that takes too much to read',
    why: 'It has more parts within parts than we can read in a sensible time.',
    advice: [
      'Write a new message instead of forwarding a long chain of messages as attachments.',
      'Put many files into one archive.',
    ],
    isFinal: true,
  },
  header_over_limit: {
    title: 'The head of the message is too long',
    why: 'The lines above the text, with subject, recipients and the trace of the servers, are more than we take.',
    advice: [
      'Write to fewer people at once, or put them into Bcc.',
      'Write a new message instead of answering in a very long conversation.',
    ],
    isFinal: true,
  },
  malformed_message: {
    title: 'The message breaks a rule of email',
    why: 'Something in it, or in the way in which it was sent, can be read in two ways or not at all. The answer that your mail server got names the rule, in front of the address of this page.',
    advice: [
      'Send it once more with another mail program.',
      writesBadly.replace('{rule}', 'the rules stand in RFC 5321 and RFC 5322, and one From address is taken.'),
    ],
    isFinal: true,
  },
  bare_line_feed: {
    title: 'The message has broken line ends',
    why: 'Some of its lines end in a way that mail servers read differently. Attackers use that to smuggle mail, so such messages are refused.',
    advice: [
      'Send it once more with another mail program.',
      writesBadly.replace('{rule}', 'lines end with CR and LF, never with LF alone (RFC 5321, 2.3.8).'),
    ],
    isFinal: true,
  },
  too_many_recipients: {
    title: 'There were too many recipients at once',
    why: 'This host takes a limited number of recipients with one message.',
    advice: [
      'You need to do nothing: your mail server sends to the others separately.',
      'If you hear that some did not get it, send it to them again, in smaller groups.',
    ],
    isFinal: false,
  },
  rate_limited: {
    title: 'There was too much at once',
    why: 'Your mail server, or others in its network, sent us more at once than we take from one place, or this host was busy.',
    advice: [
      'You need to do nothing: the message is delivered a little later.',
      'If you look after the server: send more slowly, use fewer connections, and remove addresses that no longer exist.',
    ],
    isFinal: false,
  },
  internal_error: {
    title: 'We had a problem',
    why: 'The fault was ours: something here did not work at that moment. There is nothing wrong with your message.',
    advice: [
      'You need to do nothing: the message is delivered as soon as we have fixed it.',
      'If it goes on for more than a day, please tell the postmaster.',
    ],
    isFinal: false,
  },
  timeout: {
    title: 'The connection took too long',
    why: 'Your mail server was connected for longer than we wait, without finishing what it began.',
    advice: [
      'You need to do nothing: your mail server tries again.',
      'If it happens again and again, the connection between the servers may be slow. A smaller message gets through more easily.',
    ],
    isFinal: false,
  },
  loop: {
    title: 'The message went round in a circle',
    why: 'It has passed through so many servers that it must have come back to the same ones again and again.',
    advice: [
      'If you forward mail from one mailbox to another, check whether the other one forwards it back.',
      'Tell the person you wrote to in another way: the loop may begin with them.',
    ],
    isFinal: true,
  },
  dns_failure: {
    title: 'The sender could not be checked yet',
    why: 'The domain of the sender asks for a check of its mail (DMARC), and name servers did not answer.',
    advice: [
      'You need to do nothing: your mail server tries again, and the check may succeed then.',
      'If you look after the domain: see that its name servers answer quickly.',
    ],
    isFinal: false,
  },
};

/** The other texts of these pages. */
export const pageWords = {
  was: 'Why your message was not taken',
  failed: 'Your message was not delivered, and will not be tried again.',
  waits: 'Your message is not lost. Your mail server keeps it and tries again by itself for some days.',
  advice: 'What you can do',
  facts: 'The facts',
  when: 'When',
  domain: 'Mail for',
  code: 'Code',
  contact: 'Still in doubt?',
  write: 'The postmaster of this host reads',
  quote: 'Please quote the code.',
  gone: 'This page is shown for 30 days. It needs no account, and tells nothing about the people here.',
  unknownTitle: 'There is nothing to explain here',
  unknownWhy:
    'This address is incomplete, older than 30 days, or was never given out. Check whether your program has cut it in two: the whole address is in the report that you got.',
  busyTitle: 'Please wait a minute',
  busyWhy: 'Many pages of this kind were opened from your network. Open this one again in a minute.',
} as const;
