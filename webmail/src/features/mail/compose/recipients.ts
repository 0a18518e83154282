import { longestMailbox, mostRecipients } from '@selvage/core/contracts/mail';
import { addressProblem, badFormat, longLocalPart } from '@selvage/core/mail/address-rules';
import { type NamedAddress, writeMailbox } from '@selvage/core/mail/mailbox-text';

/*
 * Makes recipients from typed or pasted text. Apart from list punctuation, nothing is dropped and
 * nothing is joined: a part that is no address becomes a recipient with a problem, which the person
 * sees and can correct or remove. The libraries that read address lists are made for headers and do
 * otherwise: of `a@x.test b@y.test` they make one mailbox, whose name is the other address.
 */

/** One recipient of a message that is being written. */
export interface Recipient extends NamedAddress {
  /**
   * Why no mail can be sent to it, in words for the person; null for a good address. With a
   * problem, `address` holds the text as it was typed.
   */
  problem: string | null;
}

const longestLocalPart = 64;

/**
 * Invisible characters that programs leave around copied names and addresses. In an address they
 * would be an error that the writer can't see.
 */
const invisible = /[\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
/** Quoted text at the start of a word, an address in brackets, a comment, or one other sign. */
const pieces = /(?<![^\s,;])"(?:[^"\\]|\\.)*"|<[^<>]*>|\([^()]*\)|[^]/gu;
const openQuote = /(?<![^\s,;])"(?:[^"\\]|\\.)*$/u;
/** Dots of lists, dashes and arrows. */
const bullets = '•‣⁃◦·・∙●○▪■□►→✓–—';
/** Text before a person in a copied list: a bullet, or the name of a field. */
const lead = new RegExp(`^[\\s${bullets}]*(?:[*&/|+-]\\s+)?(?:(?:to|cc|bcc|an|à|a|para|e-?mail)\\s*[:：]\\s*)?`, 'iu');
/** Text between two people: punctuation, or a word for "and". */
const between = new RegExp(`^(?:[\\p{P}\\p{Sm}${bullets}]+|and|und|et|y|e|en)$`, 'u');
const lastFirst = /^[^@<>,]+,[^@<>,]+<[^<>]+>$/u;

/**
 * The recipients in a text: addresses and lists of them as people type them, and as mail programs
 * and spreadsheets copy them.
 */
export function readRecipients(text: string): Recipient[] {
  return text
    .replace(invisible, '')
    .split(/[\r\n]+/)
    .flatMap((line) => (line.includes('\t') ? readCells(line.split('\t')) : readLine(line)));
}

/**
 * Adds recipients to a list. Two of the same address become one, which keeps a name if either has
 * one.
 */
export function addRecipients(existing: readonly Recipient[], added: readonly Recipient[]): Recipient[] {
  const all = new Map<string, Recipient>();
  for (const recipient of [...existing, ...added]) {
    const key = recipient.address.toLowerCase();
    const known = all.get(key);
    if (!known || (!known.name && recipient.name)) all.set(key, recipient);
  }
  return [...all.values()];
}

/** Whether a text names more people than a field takes. One that is far too long is not read. */
export function isTooMany(text: string, existing: readonly Recipient[]): boolean {
  if (text.length > mostRecipients * longestMailbox) return true;
  return isOverfull(addRecipients(existing, readRecipients(text)));
}

/** Whether a field has more people than allowed, such as after an answer to all of many. */
export function isOverfull(recipients: readonly Recipient[]): boolean {
  return recipients.length > mostRecipients;
}

/**
 * Whether the text is one complete, valid mailbox, so that a space after it makes it a recipient.
 */
export function isWholeMailbox(text: string): boolean {
  const [first, ...others] = readRecipients(text);
  return first?.problem === null && others.length === 0 && !isInQuotes(text);
}

/** Whether a separator at the end of the text would be inside a quoted name. */
export function isInQuotes(text: string): boolean {
  return openQuote.test(text);
}

/** Whether a pasted text is to become chips at once. */
export function isList(text: string): boolean {
  return /[,;\r\n\t<]/.test(text.trim()) || isWholeMailbox(text);
}

/** The recipient as text, to be changed by hand. */
export function textOf({ name, address, problem }: Recipient): string {
  return problem && !name ? address : writeMailbox({ name, address });
}

/** A mailbox from a message, as a recipient. */
export function recipientOf({ name, address }: NamedAddress): Recipient {
  return { name: name === address ? '' : name, address, problem: addressProblem(address) };
}

/**
 * A typed mailbox. Servers that forward mail write longer local parts than RFC 5321 4.5.3.1.1
 * allows, and an answer to them is sent. A person who types one has made a mistake.
 */
function typedRecipient(mailbox: NamedAddress): Recipient {
  const recipient = recipientOf(mailbox);
  const isLong = recipient.address.lastIndexOf('@') > longestLocalPart;
  return isLong ? { ...recipient, problem: recipient.problem ?? longLocalPart } : recipient;
}

/**
 * The cells of a row of a spreadsheet: a name may stand in the cells before its address, or after
 * the only one.
 */
function readCells(cells: string[]): Recipient[] {
  const found: Recipient[] = [];
  let words: string[] = [];
  for (const cell of cells.map((text) => text.trim()).filter(Boolean)) {
    if (!cell.includes('@')) {
      words.push(cell);
      continue;
    }
    const [first, ...others] = readLine(cell);
    if (first) found.push(first.name ? first : { ...first, name: nameIn(words.join(' ')) }, ...others);
    if (first?.name) found.push(...words.map(wrong));
    words = [];
  }
  const [only, ...others] = found;
  if (words.length > 0 && only && others.length === 0 && !only.name)
    return [{ ...only, name: nameIn(words.join(' ')) }];
  return [...found, ...words.map(wrong)];
}

function readLine(line: string): Recipient[] {
  const parts = splitAt(line, ';');
  // Only Outlook separates by semicolons, and it writes "Raman, Priya <priya@x.test>" without
  // quotes
  const isOutlook = parts.length > 1;
  return parts.flatMap((part) =>
    isOutlook && lastFirst.test(part.trim()) ? readEntry(part) : splitAt(part, ',').flatMap(readEntry),
  );
}

function splitAt(line: string, separator: string): string[] {
  const parts = [''];
  for (const [piece] of line.matchAll(pieces)) {
    if (piece === separator) parts.push('');
    else parts[parts.length - 1] += piece;
  }
  return parts;
}

/** Reads the text between two separators. */
function readEntry(entry: string): Recipient[] {
  const found: Recipient[] = [];
  let end = 0;
  for (const { 0: bracket, index } of entry.matchAll(/<[^<>]*>/g)) {
    found.push(readNamed(entry.slice(end, index), bracket));
    end = index + bracket.length;
  }
  const rest = entry.slice(end).trim();
  return rest === '' ? found : [...found, ...readWords(rest)];
}

function readNamed(words: string, bracket: string): Recipient {
  const address = cleanAddress(bracket.slice(1, -1));
  const name = nameIn(words);
  const isAddress = name.toLowerCase() === address.toLowerCase();
  const isQuoted = /^\s*"/.test(words);
  // The name is another address: the person has to say which of the two is meant
  if (name.includes('@') && !isQuoted && !isAddress) return wrong(`${words}${bracket}`.trim());
  return typedRecipient({ name: isAddress ? '' : name, address });
}

/**
 * An entry without brackets: each word with an @ is an address, and the words before it are its
 * name.
 */
function readWords(text: string): Recipient[] {
  const commentAt = text.endsWith(')') ? text.lastIndexOf('(') : -1;
  const hasComment = commentAt > text.indexOf('@') && text.includes('@');
  const before = hasComment ? text.slice(0, commentAt) : text;
  const comment = hasComment ? text.slice(commentAt + 1, -1) : '';
  const [quoted = ''] = /^"(?:[^"\\]|\\.)*"(?=\s)/u.exec(before) ?? [];
  const found: Recipient[] = [];
  let name: string[] = quoted ? [quoted] : [];
  for (const word of wordsOf(before.slice(quoted.length))) {
    if (!word.includes('@')) {
      name.push(word);
      continue;
    }
    found.push(typedRecipient({ name: nameIn(name.join(' ')), address: cleanAddress(word) }));
    name = [];
  }
  if (name.length > 0) return [...found, wrong(found.length > 0 ? name.join(' ') : text)];
  const last = found.at(-1);
  if (last && comment) last.name = last.name ? `${last.name} (${comment})` : comment.trim();
  return found;
}

function wordsOf(text: string): string[] {
  return text.trim().replace(/\s+/g, ' ').replace(/ ?@ ?/g, '@').split(' ').filter(Boolean);
}

function wrong(text: string): Recipient {
  return { name: '', address: text, problem: addressProblem(text) ?? badFormat };
}

/** Spaces are no part of an address; quotes and `mailto:` are what a program put around it. */
function cleanAddress(text: string): string {
  return text
    .replace(/\s+/g, '')
    .replace(lead, '')
    .replace(/^["'\p{Ps}\p{Pi}\p{Pf}](.*)["'\p{Pe}\p{Pi}\p{Pf}]$/u, '$1')
    .replace(/^mailto:([^?]*).*$/i, '$1');
}

function nameIn(words: string): string {
  const text = words.replace(lead, '').trim().replace(/\s+/g, ' ');
  if (between.test(text)) return '';
  const quoted = /^"((?:[^"\\]|\\.)*)"$/u.exec(text)?.[1];
  const bare = quoted === undefined ? text.replace(/^'(.*)'$/, '$1') : quoted.replace(/\\(.)/gu, '$1');
  return bare.replace(/\p{Cc}+/gu, ' ').trim();
}
