import type { WarningDto } from '@selvage/core/contracts/email';
import { domainOf } from '@selvage/core/mail/address-rules';
import { normaliseAddress } from '@selvage/core/mail/addresses';
import { isSameSite } from '@selvage/core/mail/domain-name';
import { freeMail } from '@selvage/core/mail/free-mail';
import type { LyingLink } from '@selvage/core/mail/lying-links';

/** What the host knows of the sender of a message, and what the message says. */
export interface SenderFacts {
  fromName: string;
  /** As the From header has it. */
  fromAddress: string;
  replyTo: readonly string[];
  /** A result word of RFC 8601. */
  dmarc: string;
  /** The message came by a mailing list, as SPF or DKIM proves. */
  isFromList: boolean;
  /** The message is one of a bulk mailing, and it is proved to be from its sender. */
  isBulk: boolean;
  /** The reader has no earlier mail from this address. False when that is not known. */
  isFirst: boolean;
  /** The reader has written into the conversation, so an answer from a new sender is expected. */
  isAnswer: boolean;
  /** The proved domains of the reader's company, in ASCII. */
  ownDomains: readonly string[];
  /** One of `ownDomains` that the reader may mistake the sender's domain for. */
  similarOwn: string | null;
  /**
   * A domain to which the reader has written, and which the reader may mistake the sender's domain
   * for. Null if the reader has written to the sender's domain, or has had proved mail from it over
   * time.
   */
  similarKnown: string | null;
  /** The sender has the name of a person of the reader's company, but not that person's address. */
  isNameOfColleague: boolean;
  /**
   * The address to which the reader writes to a person with the sender's name, if it is not the
   * sender's.
   */
  namesake: string | null;
  links: readonly LyingLink[];
}

/**
 * The warnings about a message, the gravest first (D42). A doubtful case gives no warning: people
 * stop reading warnings that are often wrong. So habits of mailing lists and newsletters give none,
 * and neither does a sender whom DMARC proves and the reader knows.
 */
export function judgeSender(facts: SenderFacts): WarningDto[] {
  const { fromAddress, dmarc, isFromList, isFirst, similarOwn, similarKnown } = facts;
  if (isFromList) return [];
  const domain = domainOf(fromAddress).toLowerCase();
  const found: WarningDto[] = [];
  const resembles = (): void => {
    // A known sender too: a stranger becomes no more trustworthy by writing twice. `similarKnown`
    // is null once the reader has written to the domain, or has had proved mail from it over time
    if (similarKnown !== null) found.push({ code: 'similar_correspondent', claimed: similarKnown, actual: domain });
  };
  if (dmarc === 'pass' && !isFirst) {
    resembles();
    return found;
  }
  if (dmarc === 'fail') found.push({ code: 'not_from_sender', claimed: domain, actual: null });
  if (similarOwn !== null) found.push({ code: 'similar_domain', claimed: similarOwn, actual: domain });
  else resembles();
  found.push(...claimsOfName(facts, domain));
  const elsewhere = replyElsewhere(facts, domain);
  if (elsewhere !== null) found.push({ code: 'reply_elsewhere', claimed: domain, actual: elsewhere });
  const [link] = facts.isBulk ? [] : facts.links.filter(({ named }) => !isSameSite(named, domain));
  if (link) found.push({ code: 'link_elsewhere', claimed: link.named, actual: link.actual });
  return found.length > 0 || !isFirst || facts.isAnswer
    ? found
    : [{ code: 'first_message', claimed: null, actual: null }];
}

/** Warnings about a name that claims what the sender's address does not prove. */
function claimsOfName(facts: SenderFacts, domain: string): WarningDto[] {
  const { fromName, fromAddress, isFirst, namesake } = facts;
  const found: WarningDto[] = [];
  const claimed = addressIn(fromName);
  if (claimed !== null && !isSameSite(domainOf(claimed), domain)) {
    found.push({ code: 'name_of_address', claimed, actual: fromAddress });
  }
  if (facts.isNameOfColleague && isFirst && !facts.ownDomains.includes(domain)) {
    found.push({ code: 'name_of_colleague', claimed: fromName, actual: fromAddress });
  } else if (namesake !== null && isFirst) {
    found.push({ code: 'name_of_correspondent', claimed: namesake, actual: fromAddress });
  }
  return found;
}

/**
 * The Reply-To address that gives a warning. Newsletters and ticket systems also set Reply-To to
 * another domain. So this warns only about an unproved stranger whose Reply-To leads from a domain
 * of their own to a free mail service, where any person can get an address.
 */
function replyElsewhere({ replyTo, dmarc, isFirst, isAnswer }: SenderFacts, domain: string): string | null {
  if (dmarc === 'pass' || !isFirst || isAnswer || freeMail.has(domain)) return null;
  return replyTo.find((address) => freeMail.has(domainOf(address).toLowerCase())) ?? null;
}

/** An email address within a display name, such as `Bank <info@bank.test>` in quotes. */
function addressIn(name: string): string | null {
  const [found] = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/.exec(name) ?? [];
  return found === undefined ? null : normaliseAddress(found);
}
