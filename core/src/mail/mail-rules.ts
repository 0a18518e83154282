import type { FilterActions, FilterConditions } from '../contracts/mail-rules.ts';
import { domainOf } from './address-rules.ts';
import { addressWords } from './address-words.ts';
import { asciiDomain, normaliseAddress } from './addresses.ts';

/*
 * Matches messages with the filters of a person (D46). A stranger writes the message, so its fields
 * are cut first, and a condition is a plain substring search: no pattern lets a header slow it
 * down.
 */

/** The fields of a message that rules compare. */
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
  /** The id of the person's own folder, if `moveTo` is `own`. */
  ownFolderId: string | null;
  star: boolean;
  markRead: boolean;
  forward: boolean;
  /** Ids of labels of the person. */
  labels: ReadonlySet<string>;
  /** The name of the filter that moves the message, or else of the first one that it matches. */
  name: string;
}

const longestField = 1000;
/** How many characters of the recipients of a message are compared. */
export const longestRecipients = 4000;
const mostLabels = 10;

/** Case is ignored, and so is whether an accent is a separate character. */
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

/** The searched form of recipients, either of a header or of the envelope. */
export function foldRecipients(list: readonly string[]): string {
  let text = '';
  for (const one of list) {
    if (text.length >= longestRecipients) break;
    text += `${one}, `;
  }
  return foldAddresses(text, longestRecipients);
}

/**
 * The text is cut before the second spelling of its addresses is added, so that both are cut alike.
 */
function foldAddresses(text: string, longest: number): string {
  return fold(addressWords(text.slice(0, longest)), 2 * longest);
}

/**
 * The names by which a person may have blocked this sender: the address and the domains above it.
 */
function sendersOf(fromAddress: string): string[] {
  const domain = asciiDomain(domainOf(fromAddress));
  if (domain === null) return [];
  const labels = domain.split('.').slice(-mostLabels);
  const above = labels.slice(1).map((_, index) => labels.slice(index).join('.'));
  return [normaliseAddress(fromAddress) ?? '', ...above].filter((one) => one !== '');
}

/**
 * Applies the filters of a person in their order; null when the message matches none of them. The
 * first one that moves the message decides where it goes.
 * @param addresses all addresses of the person that the message was sent to
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
 * Whether a message meets all conditions of a filter.
 * @param cameInBy the addresses that it was sent to, in the form of `foldRecipients`
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
