import type { WarningDto } from '@selvage/core/contracts/email';
import { domainOf } from '@selvage/core/mail/address-rules';
import { normaliseAddress } from '@selvage/core/mail/addresses';
import { isSameSite } from '@selvage/core/mail/domain-name';
import { freeMail } from '@selvage/core/mail/free-mail';
import type { LyingLink } from '@selvage/core/mail/lying-links';

/** What the host knows of the sender of a message, and what the message says. */
export interface SenderFacts {
  fromName: string;
  /** As the header has it. */
  fromAddress: string;
  replyTo: readonly string[];
  /** Result words of RFC 8601. */
  dmarc: string;
  /** It came by a mailing list, which SPF or DKIM proves to be one. */
  isFromList: boolean;
  /** It is one of many alike, and proved to be of its sender. */
  isBulk: boolean;
  /** The reader has no earlier mail of this address. False when that is not known. */
  isFirst: boolean;
  /** The reader has written into the conversation, so that an answer of a new sender is no news. */
  isAnswer: boolean;
  /** The proved domains of the reader's company, in ASCII. */
  ownDomains: readonly string[];
  /** One of them that the sender's domain may be taken for. */
  similarOwn: string | null;
  /**
   * A domain that the reader has written to, and that the sender's may be taken for. The reader
   * neither writes to the sender's, nor has had proved mail from it over time.
   */
  similarKnown: string | null;
  /** The sender's name is that of a person of the reader's company, whose address it is not. */
  isNameOfColleague: boolean;
  /** The address of a person with the sender's name, to whom the reader writes elsewhere. */
  namesake: string | null;
  links: readonly LyingLink[];
}

/**
 * What speaks against a message, the gravest first (D42). It is silent in doubt: a warning that is
 * often wrong is not read when it is right. So what mailing lists and newsletters do as well speaks
 * against no sender, and one that DMARC proves and the reader knows is not doubted.
 */
export function judgeSender(facts: SenderFacts): WarningDto[] {
  const { fromAddress, dmarc, isFromList, isFirst, similarOwn, similarKnown } = facts;
  if (isFromList) return [];
  const domain = domainOf(fromAddress).toLowerCase();
  const found: WarningDto[] = [];
  const resembles = (): void => {
    // A stranger who writes twice is no better known: what the reader writes and time decide
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

/** What the sender's name claims, and their address does not bear out. */
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
 * Newsletters and tickets take their answers elsewhere as well. It speaks against an unproved
 * stranger alone, if it leads from a domain that is the sender's own to where any person may have
 * an address.
 */
function replyElsewhere({ replyTo, dmarc, isFirst, isAnswer }: SenderFacts, domain: string): string | null {
  if (dmarc === 'pass' || !isFirst || isAnswer || freeMail.has(domain)) return null;
  return replyTo.find((address) => freeMail.has(domainOf(address).toLowerCase())) ?? null;
}

/** An address that stands in a name, as `Bank <info@bank.test>` does within quotes. */
function addressIn(name: string): string | null {
  const [found] = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/.exec(name) ?? [];
  return found === undefined ? null : normaliseAddress(found);
}
