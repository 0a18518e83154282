import { domainToUnicode } from 'node:url';
import { parse } from 'tldts';
import unhomoglyph from 'unhomoglyph';
import { freeMail } from './free-mail.ts';
import { trustWords } from './trust-words.ts';

/*
 * When one domain may be taken for another. Of a host only the registered domain counts:
 *
 *   mail.wool-works.example:  site wool-works.example, label wool-works, suffix example
 *
 *   the same signs to a reader    woo1-works.example, wооl-works.example
 *   the hyphen, the suffix        woolworks.example, wool-works.test
 *   a word that lends trust       wool-works-billing.example
 *   one sign more, less, other    wool-work.example, wool-wroks.example
 *   as the beginning of a host    wool-works.example.evil.test
 *
 * Labels that are short are alike by chance, so less counts as a likeness of them.
 */

/**
 * A label shorter than this is no likeness if only its suffix or a word differs: `abc.com` and
 * `abc.net` belong to strangers.
 */
const shortestName = 5;
/**
 * A label shorter than this is no likeness if one character differs, as with `apple` and `ample`.
 */
const shortestEdited = 6;
const longestLook = 255;

const addedWords = [...trustWords].map(skeletonOf).toSorted((one, other) => other.length - one.length);

interface Look {
  site: string;
  suffix: string;
  /** Equal for two sites whose characters look the same. */
  shown: string;
  /** The label without hyphens: as it is written, and as its characters look. */
  plain: string;
  skeleton: string;
  /** The skeleton without words that lend trust. */
  stem: string;
}

/**
 * A form that is equal for two names that look alike: each character is replaced by the plainest
 * one that looks like it (Unicode UTS 39, confusables), without accents.
 */
export function skeletonOf(domain: string): string {
  const shown = domainToUnicode(domain).toLowerCase() || domain.toLowerCase();
  return unhomoglyph(shown.normalize('NFD').replaceAll(/\p{M}/gu, '')).toLowerCase();
}

/** The registered domain of a host, in lower case; null when there is none. */
export function siteOf(host: string): string | null {
  return parse(host.toLowerCase(), { allowPrivateDomains: true }).domain;
}

/**
 * Whether a person may mistake the domain `host` for `known`, and the two have different owners.
 */
export function isMistakenFor(host: string, known: string): boolean {
  const [one, other] = [lookAt(host), lookAt(known)];
  if (one === null || other === null || one.site === other.site || freeMail.has(one.site)) return false;
  if (leadingSites(host).includes(other.site)) return true;
  if (one.shown === other.shown) return one.plain.length > 2;
  // Strangers share such a site, and a site with a similar name is most often another such service
  if (freeMail.has(other.site)) return false;
  if (one.skeleton === other.skeleton) return other.plain.length >= shortestName;
  if (one.stem === other.stem) return one.stem.length >= shortestName;
  return one.suffix === other.suffix && isOneEdit(one.plain, other.plain);
}

/**
 * The keys by which a known domain is found when another one resembles it. If `isMistakenFor` is
 * true for two domains, they have one of these keys and of `resemblingLooks` in common: after one
 * edit, either the first or the second half of a label is unchanged.
 */
export function looksOf(domain: string): string[] {
  const look = lookAt(domain);
  if (look === null) return [];
  const { plain, suffix } = look;
  const length = plain.length;
  const edited = length < shortestEdited || freeMail.has(look.site) ? [] : halves(plain, suffix, length);
  return [siteKey(look.site), ...[...new Set([look.stem, look.skeleton])].map(stemKey), ...edited].filter(fits);
}

/** The keys of the known domains that a person may mistake this one for. */
export function resemblingLooks(host: string): string[] {
  const look = lookAt(host);
  if (look === null || freeMail.has(look.site)) return [];
  const { plain, suffix } = look;
  const lengths = [plain.length - 1, plain.length, plain.length + 1].filter((length) => length >= shortestEdited);
  const edited = lengths.flatMap((length) => halves(plain, suffix, length));
  const stems = [...new Set([look.stem, look.skeleton])].map(stemKey);
  return [...leadingSites(host).map(siteKey), ...stems, ...edited].filter(fits);
}

/** The key of a known domain itself. */
export function siteKey(site: string): string {
  return `.${site}`;
}

const stemKey = (stem: string) => `=${stem}`;
const fits = (key: string) => key.length <= longestLook;

/**
 * The parts of a label that stay when one character of the other half changes, with its new length.
 */
function halves(plain: string, suffix: string, length: number): string[] {
  const half = Math.floor((length - 1) / 2);
  return [`<${length} ${plain.slice(0, half)} ${suffix}`, `>${length} ${plain.slice(-half)} ${suffix}`];
}

function lookAt(host: string): Look | null {
  const { domain, domainWithoutSuffix, publicSuffix } = parse(host.toLowerCase(), { allowPrivateDomains: true });
  if (domain === null || !domainWithoutSuffix || publicSuffix === null) return null;
  const label = domainToUnicode(domainWithoutSuffix) || domainWithoutSuffix;
  const plain = label.normalize('NFC').replaceAll('-', '');
  const skeleton = skeletonOf(domainWithoutSuffix).replaceAll('-', '');
  return { site: domain, suffix: publicSuffix, shown: skeletonOf(domain), plain, skeleton, stem: stemOf(skeleton) };
}

/** A label without up to two words that lend trust, if enough is left. */
function stemOf(skeleton: string): string {
  let stem = skeleton;
  for (let cut = 0; cut < 2; cut += 1) {
    const rest = addedWords.flatMap((word) => withoutWord(stem, word)).find((left) => left.length >= shortestName);
    if (rest === undefined) break;
    stem = rest;
  }
  return stem;
}

function withoutWord(label: string, word: string): string[] {
  if (label.endsWith(word)) return [label.slice(0, -word.length)];
  return label.startsWith(word) ? [label.slice(word.length)] : [];
}

/** The site in the labels in front of a registered domain, as in bank.com.evil.test. */
function leadingSites(host: string): string[] {
  const site = siteOf(host);
  const front = site === null ? '' : host.toLowerCase().slice(0, -site.length - 1);
  const spelt = siteOf(front);
  return spelt === null ? [] : [spelt];
}

/**
 * Whether two names differ by one character that was added, removed or changed, or by two swapped
 * ones. Digits don't count, since related names differ by them; nor does the first character, in
 * which names of strangers differ.
 */
function isOneEdit(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short.length < shortestEdited || long.length - short.length > 1) return false;
  let start = 0;
  while (start < short.length && short[start] === long[start]) start += 1;
  let end = 0;
  while (end < short.length - start && short.at(-1 - end) === long.at(-1 - end)) end += 1;
  const [left, right] = [short.slice(start, short.length - end), long.slice(start, long.length - end)];
  if (start === 0 || (left !== '' && /^\d+$/.test(left + right))) return false;
  const isSwap = left.length === 2 && left[0] === right[1] && left[1] === right[0];
  return right.length <= 1 || isSwap;
}
