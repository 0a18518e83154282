import type { FilterActions, FilterConditions } from '../contracts/mail-rules.ts';
import { domainOf } from './address-rules.ts';
import { addressWords } from './address-words.ts';
import { asciiDomain, normaliseAddress } from './addresses.ts';

/*
 * Which rules of a person a message meets (D46). A stranger writes the message, so its fields are
 * cut first, and a rule is a plain search for a text in them: there is no pattern that a header
 * could make slow.
 */

/** What rules look at of a message. */
export interface Letter {
  fromName: string;
  fromAddress: string;
  /** Mailboxes of To and Cc, as the header names them. */
  to: readonly string[];
  subject: string;
  listId: string | null;
}

/** A letter whose fields are cut, folded and ready to be searched. */
export interface FoldedLetter {
  from: string;
  to: string;
  subject: string;
  listId: string;
  /** The sender's address and the domains above it, the narrowest first. */
  senders: string[];
}

/** A filter of a person. */
export interface Rule {
  name: string;
  conditions: FilterConditions;
  actions: FilterActions;
}

/** What the filters of a person do to a message. */
export interface RuleOutcome {
  moveTo: 'archive' | 'junk' | 'trash' | 'own' | null;
  /** The folder of the person's own, where `moveTo` is `own`. */
  ownFolderId: string | null;
  star: boolean;
  markRead: boolean;
  forward: boolean;
  /** Ids of labels of the person. */
  labels: ReadonlySet<string>;
  /** Of the filter that moved it, or of the first one that it met. */
  name: string;
}

const longestField = 1000;
const longestRecipients = 4000;
const mostLabels = 10;

/** Case makes no difference, and neither does how an accent is written. */
function fold(text: string, longest: number): string {
  return text.slice(0, longest).normalize('NFC').toLowerCase();
}

/** The searched form of a message; the same for all its recipients. */
export function foldLetter({ fromName, fromAddress, to, subject, listId }: Letter): FoldedLetter {
  return {
    from: foldAddresses(`${fromName} <${fromAddress}>`, longestField),
    to: foldRecipients(to),
    subject: fold(subject, longestField),
    listId: fold(listId ?? '', longestField),
    senders: sendersOf(fromAddress),
  };
}

/** The searched form of recipients: of a header, or of the addresses that a message came in by. */
export function foldRecipients(list: readonly string[]): string {
  let text = '';
  for (const one of list) {
    if (text.length >= longestRecipients) break;
    text += `${one}, `;
  }
  return foldAddresses(text, longestRecipients);
}

/** What is cut off is no part of the other spelling either. */
function foldAddresses(text: string, longest: number): string {
  return fold(addressWords(text.slice(0, longest)), 2 * longest);
}

/** What a block of this sender could name. */
function sendersOf(fromAddress: string): string[] {
  const domain = asciiDomain(domainOf(fromAddress));
  if (domain === null) return [];
  const labels = domain.split('.').slice(-mostLabels);
  const above = labels.slice(1).map((_, index) => labels.slice(index).join('.'));
  return [normaliseAddress(fromAddress) ?? '', ...above].filter((one) => one !== '');
}

/**
 * Goes through the filters of a person in their order; null when none of them is met. The first one
 * that moves the message decides where it goes.
 * @param addresses all those by which the message came to the person
 */
export function applyRules(
  rules: readonly Rule[],
  letter: FoldedLetter,
  addresses: readonly string[],
): RuleOutcome | null {
  const cameInBy = foldRecipients(addresses);
  let outcome: RuleOutcome | null = null;
  const labels = new Set<string>();
  for (const { name, conditions, actions } of rules) {
    if (!isMet(conditions, letter, cameInBy)) continue;
    outcome ??= { moveTo: null, ownFolderId: null, star: false, markRead: false, forward: false, labels, name };
    const moveTo = actions.folder === undefined ? actions.move_to : 'own';
    if (outcome.moveTo === null && moveTo !== undefined) {
      Object.assign(outcome, { moveTo, ownFolderId: actions.folder ?? null, name });
    }
    outcome.star ||= actions.star === true;
    outcome.markRead ||= actions.mark_read === true;
    outcome.forward ||= actions.forward === true;
    if (actions.label !== undefined) labels.add(actions.label);
    if (actions.stop === true) break;
  }
  return outcome;
}

/**
 * Whether a message has all that a filter asks for.
 * @param cameInBy the addresses by which it came, as `foldRecipients` gives them
 */
export function isMet({ from, to, subject, list_id }: FilterConditions, letter: FoldedLetter, cameInBy = ''): boolean {
  const has = (field: string, wanted: string | undefined) => !wanted || field.includes(fold(wanted, longestField));
  if (!from && !to && !subject && !list_id) return false;
  return (
    has(letter.from, from) &&
    has(letter.subject, subject) &&
    has(letter.listId, list_id) &&
    (!to || has(letter.to, to) || has(cameInBy, to))
  );
}
